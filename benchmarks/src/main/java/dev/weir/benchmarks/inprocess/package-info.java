/**
 * What a decision costs in one process, and what a key weighs: Weir next to other libraries and to
 * the least that any limiter does. Start with {@link
 * dev.weir.benchmarks.inprocess.InProcessBenchmarks}, which runs {@link
 * dev.weir.benchmarks.inprocess.TryAcquire} in one JVM after the other; how each library is used is
 * in {@link dev.weir.benchmarks.inprocess.LimiterLibrary} and the classes that implement it.
 */
@NullMarked
package dev.weir.benchmarks.inprocess;

import org.jspecify.annotations.NullMarked;
