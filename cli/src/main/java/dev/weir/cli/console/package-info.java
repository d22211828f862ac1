/** What commands share to write on a terminal or a pipe. */
@NullMarked
package dev.weir.cli.console;

import org.jspecify.annotations.NullMarked;
