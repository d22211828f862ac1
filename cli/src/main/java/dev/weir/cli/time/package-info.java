/**
 * A clock for commands that must not wait.
 *
 * <p>{@link dev.weir.cli.time.VirtualTime} is its only class: {@code simulate}, {@code diff},
 * {@code test} and {@code demo} set it to the time at which they decide.
 */
@NullMarked
package dev.weir.cli.time;

import org.jspecify.annotations.NullMarked;
