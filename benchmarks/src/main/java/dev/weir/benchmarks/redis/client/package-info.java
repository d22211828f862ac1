/**
 * One class per way to ask Redis for a permit, each at its best setting. Start with {@link
 * dev.weir.benchmarks.redis.client.LimiterClient}.
 */
@NullMarked
package dev.weir.benchmarks.redis.client;

import org.jspecify.annotations.NullMarked;
