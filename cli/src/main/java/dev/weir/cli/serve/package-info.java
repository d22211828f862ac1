/**
 * The command {@code serve}: runs the service in the foreground until it is stopped.
 *
 * <p>Start at {@link dev.weir.cli.serve.ServeCommand}; {@code ServeOptions} turns options and
 * environment into the {@code ServerOptions} of the service. The rest is about one process: how it
 * logs ({@code LogFormat}), what it prints at the start ({@code StartScreen}), how it ends. Only
 * the root of the commands uses this package.
 */
@NullMarked
package dev.weir.cli.serve;

import org.jspecify.annotations.NullMarked;
