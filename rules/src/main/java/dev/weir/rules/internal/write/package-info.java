/** Rules as text again, in one form whatever they were read from. */
@NullMarked
package dev.weir.rules.internal.write;

import org.jspecify.annotations.NullMarked;
