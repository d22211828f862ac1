/**
 * Text that Weir's modules read and write in one way: rates and durations, JSON, constants in kebab
 * case, masked addresses, and text from outside made safe to print.
 *
 * <p>Exported to our own modules alone. Start with {@link dev.weir.internal.text.RateExpression}
 * for what is read, and {@link dev.weir.internal.text.PrintableText} for what is shown.
 */
@NullMarked
package dev.weir.internal.text;

import org.jspecify.annotations.NullMarked;
