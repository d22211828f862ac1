/**
 * The guards between a limiter and a remote store. Start reading at {@link
 * dev.weir.internal.guard.GuardPipeline}, which orders the parts; each part is a store around the
 * next one, does one thing, and passes the contract of stores by itself. Used through {@link
 * dev.weir.GuardedStore} alone.
 */
@NullMarked
package dev.weir.internal.guard;

import org.jspecify.annotations.NullMarked;
