/**
 * Decides the requests of a log at the times of the log, and counts the answers.
 *
 * <p>Start at {@link dev.weir.cli.simulate.replay.LogReplay}: it moves the clock, decides with one
 * or two {@link dev.weir.cli.simulate.replay.ReplayTarget}s and feeds {@link
 * dev.weir.cli.simulate.replay.ReplayStatistics}, which the reports read. {@code RequiredLimit} is
 * the arithmetic behind the advice.
 */
@NullMarked
package dev.weir.cli.simulate.replay;

import org.jspecify.annotations.NullMarked;
