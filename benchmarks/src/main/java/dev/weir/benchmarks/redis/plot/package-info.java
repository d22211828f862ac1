/** Plots as SVG: plain text, nothing fetched, legible on light and dark. */
@NullMarked
package dev.weir.benchmarks.redis.plot;

import org.jspecify.annotations.NullMarked;
