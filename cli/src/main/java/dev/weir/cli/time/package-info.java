/** Time that does not pass by itself. */
@NullMarked
package dev.weir.cli.time;

import org.jspecify.annotations.NullMarked;
