/**
 * What stands between a limiter and a store that may be away: decorators that each do one thing.
 */
@NullMarked
package dev.weir.internal.guard;

import org.jspecify.annotations.NullMarked;
