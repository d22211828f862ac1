/**
 * The command line. Start at {@link dev.weir.cli.Weir}, the root of all commands; a command is one
 * class, named there, with the rest of its code in a package of its own.
 *
 * <p>Shared by commands: {@code console} writes to terminals, {@code request} holds common options,
 * {@code time} a clock without waiting.
 */
@NullMarked
package dev.weir.cli;

import org.jspecify.annotations.NullMarked;
