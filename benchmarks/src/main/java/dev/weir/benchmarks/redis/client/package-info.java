/** One class per way to ask Redis for a permit, each at its best setting. */
@NullMarked
package dev.weir.benchmarks.redis.client;

import org.jspecify.annotations.NullMarked;
