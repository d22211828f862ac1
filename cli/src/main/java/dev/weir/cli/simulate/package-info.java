/**
 * The command {@code simulate}: replays a log against rules, with a clock that follows the log.
 *
 * <p>{@link dev.weir.cli.simulate.SimulateCommand} holds the options and joins the three packages:
 * {@code input} reads the log, {@code replay} decides and counts, {@code report} shows the result.
 */
@NullMarked
package dev.weir.cli.simulate;

import org.jspecify.annotations.NullMarked;
