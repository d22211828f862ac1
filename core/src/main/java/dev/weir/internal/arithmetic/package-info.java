/**
 * The pure arithmetic of the five limits, in integers. Functions are handed the time; none reads a
 * clock. Every store derives its answers from here, and the scripts of the Redis store are its
 * twins.
 *
 * <p>Not exported, except to the Redis store. Start with {@link
 * dev.weir.internal.arithmetic.Meter}, then {@link dev.weir.internal.arithmetic.TokenBucketMeter}.
 */
@NullMarked
package dev.weir.internal.arithmetic;

import org.jspecify.annotations.NullMarked;
