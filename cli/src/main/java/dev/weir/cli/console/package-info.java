/**
 * Output for people, shared by all commands: what a terminal can do ({@code Terminal}), colours
 * ({@code AnsiStyle}), pictures that change in place ({@code Screen}), numbers and times ({@code
 * HumanFormat}).
 */
@NullMarked
package dev.weir.cli.console;

import org.jspecify.annotations.NullMarked;
