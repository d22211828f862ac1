/**
 * What all measurements share on their way to the report: the median of rounds and its text, tables
 * and plots, targets, the line of progress, and what the machine is and how busy it was.
 *
 * <p>Start with {@link dev.weir.benchmarks.report.MedianAndRange}. Used by all kinds of
 * measurements; knows none of them.
 */
@NullMarked
package dev.weir.benchmarks.report;

import org.jspecify.annotations.NullMarked;
