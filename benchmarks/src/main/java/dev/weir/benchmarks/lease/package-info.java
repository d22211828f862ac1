/** One hot key with and without leases: decisions per second, calls to Redis, and what passed. */
@NullMarked
package dev.weir.benchmarks.lease;

import org.jspecify.annotations.NullMarked;
