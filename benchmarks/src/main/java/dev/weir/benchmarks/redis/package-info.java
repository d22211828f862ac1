/**
 * What a decision costs over Redis: Weir next to other ways to ask. Start with {@link
 * dev.weir.benchmarks.redis.RedisBenchmarks}; one measurement is a {@code MeasurementRun}, whose
 * callers are a {@code LoadGenerator}. The ways to ask are in {@code client}.
 */
@NullMarked
package dev.weir.benchmarks.redis;

import org.jspecify.annotations.NullMarked;
