/**
 * Envoy's protocol over gRPC next to an echo on the same stack, and what it costs Redis.
 *
 * <p>Start at {@link dev.weir.benchmarks.envoy.GrpcBenchmarks}.
 */
@NullMarked
package dev.weir.benchmarks.envoy;

import org.jspecify.annotations.NullMarked;
