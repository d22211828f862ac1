/**
 * Shows people what a replay found: progress, a summary in text, a report in HTML.
 *
 * <p>Start at {@link dev.weir.cli.simulate.report.SummaryText} or {@link
 * dev.weir.cli.simulate.report.HtmlReport}; both only read {@code ReplayStatistics}.
 */
@NullMarked
package dev.weir.cli.simulate.report;

import org.jspecify.annotations.NullMarked;
