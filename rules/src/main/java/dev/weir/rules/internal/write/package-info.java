/**
 * From rules back to text, in one form whatever they were read from.
 *
 * <p>Start at {@link dev.weir.rules.internal.write.RulesWriter}, which {@code RuleSet.toYaml}
 * calls; nothing else outside uses this package.
 */
@NullMarked
package dev.weir.rules.internal.write;

import org.jspecify.annotations.NullMarked;
