/**
 * The command line. {@link dev.weir.cli.Weir} is the root; a command is one class, named there,
 * with the rest of its code in a package of its own.
 */
@NullMarked
package dev.weir.cli;

import org.jspecify.annotations.NullMarked;
