/**
 * Rate limiting: say how much is allowed as a {@link dev.weir.Limit}, ask a {@link
 * dev.weir.RateLimiter}, act on its {@link dev.weir.Decision}.
 *
 * <p>Everything here is public API. Start with {@link dev.weir.Limit} and {@link
 * dev.weir.RateLimiter}; {@link dev.weir.MemoryStore} keeps state in process, and {@link
 * dev.weir.GuardedStore} protects callers from a remote store that fails.
 */
@NullMarked
package dev.weir;

import org.jspecify.annotations.NullMarked;
