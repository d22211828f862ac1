/**
 * What a servlet filter adds to the decision that it asks for: Weir's, and one around Bucket4j as
 * its guide has it. Start with {@link dev.weir.benchmarks.filter.FilterBenchmarks}, which runs
 * {@link dev.weir.benchmarks.filter.FilteredRequest} in one JVM after the other.
 */
@NullMarked
package dev.weir.benchmarks.filter;

import org.jspecify.annotations.NullMarked;
