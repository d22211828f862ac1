/**
 * Text that Weir's modules write in one way: JSON, constants in kebab case, durations in words, and
 * text of others made safe to print. For Weir's own modules only.
 */
@NullMarked
package dev.weir.internal.text;

import org.jspecify.annotations.NullMarked;
