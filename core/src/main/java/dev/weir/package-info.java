/**
 * Rate limiting: say how much is allowed as a {@link dev.weir.Limit}, ask a {@link
 * dev.weir.RateLimiter}, act on its {@link dev.weir.Decision}.
 */
@NullMarked
package dev.weir;

import org.jspecify.annotations.NullMarked;
