/**
 * From rules back to text, in one form whatever they were read from. Start at {@link
 * dev.weir.rules.internal.write.RulesWriter}.
 */
@NullMarked
package dev.weir.rules.internal.write;

import org.jspecify.annotations.NullMarked;
