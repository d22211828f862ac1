/**
 * The command line. Start at {@link dev.weir.cli.Weir}, the root of all commands; a command is one
 * class, named there, with the rest of its code in a package of its own. {@code UsageErrorHandler}
 * and {@code FailureHandler} turn what goes wrong in any of them into messages and exit codes.
 *
 * <p>Shared by commands: {@code console} writes to terminals, {@code options} holds common options,
 * {@code time} a clock without waiting.
 */
@NullMarked
package dev.weir.cli;

import org.jspecify.annotations.NullMarked;
