/**
 * What a request to the service costs, next to an empty handler on the same stack. Start with
 * {@link dev.weir.benchmarks.service.ServiceBenchmarks}; the servers are JVMs of their own, {@link
 * dev.weir.benchmarks.service.ServiceProcess}, and the client is an {@code HttpLoad}.
 */
@NullMarked
package dev.weir.benchmarks.service;

import org.jspecify.annotations.NullMarked;
