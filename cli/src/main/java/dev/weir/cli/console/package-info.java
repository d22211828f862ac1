/**
 * Output for people, shared by all commands: what a terminal can do ({@code Terminal}), colours
 * ({@code AnsiStyle}), pictures that change in place ({@code Screen}), numbers, times and waits
 * ({@code HumanFormat}).
 *
 * <p>Start at {@link dev.weir.cli.console.Terminal}, which {@code main} makes once. Any command may
 * use this package; it knows none of them.
 */
@NullMarked
package dev.weir.cli.console;

import org.jspecify.annotations.NullMarked;
