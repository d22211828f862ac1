/** Checks and small helpers shared inside core. */
@NullMarked
package dev.weir.internal;

import org.jspecify.annotations.NullMarked;
