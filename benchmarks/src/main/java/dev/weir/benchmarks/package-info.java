/**
 * The program that measures Weir: its command line, and nothing else. Start with {@link
 * dev.weir.benchmarks.Benchmarks}.
 *
 * <p>Each kind of measurement has a package: {@code inprocess} (Weir and other libraries in one
 * JVM), {@code redis} (over one Redis), {@code lease} (hot keys with and without leases), {@code
 * service} (over HTTP), {@code envoy} (over gRPC), {@code filter} (inside a servlet filter), and
 * {@code soak} (the service while it is disturbed). {@code report} holds what they share: tables,
 * plots, and how busy the machine was.
 */
@NullMarked
package dev.weir.benchmarks;

import org.jspecify.annotations.NullMarked;
