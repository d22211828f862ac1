/**
 * A clock for commands that must not wait.
 *
 * <p>{@link dev.weir.cli.time.VirtualTime} is all there is: {@code simulate} and {@code demo}
 * decide with it at the times they choose.
 */
@NullMarked
package dev.weir.cli.time;

import org.jspecify.annotations.NullMarked;
