/**
 * What all of core shares: argument checks, merging of claims, bounded keys, the system clock.
 *
 * <p>Not exported, except to our own modules.
 */
@NullMarked
package dev.weir.internal;

import org.jspecify.annotations.NullMarked;
