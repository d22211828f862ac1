/**
 * What all of core shares: argument checks, merging of claims and grants, bounded keys, failures of
 * stages, the system clock.
 *
 * <p>Exported to our own modules alone. Start with {@link dev.weir.internal.Check}; the rooms
 * beside it are {@code arithmetic}, {@code memory}, {@code guard}, {@code schedule} and {@code
 * text}.
 */
@NullMarked
package dev.weir.internal;

import org.jspecify.annotations.NullMarked;
