/** Rule sets: which limits apply to a request. Start at {@link dev.weir.rules.RuleSet}. */
@NullMarked
package dev.weir.rules;

import org.jspecify.annotations.NullMarked;
