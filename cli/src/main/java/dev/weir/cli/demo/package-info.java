/**
 * The command {@code demo}: three scenes that show the algorithms on a terminal.
 *
 * <p>Start at {@link dev.weir.cli.demo.DemoCommand}; a scene is a class that ends with {@code
 * Scene}. Only the root of the commands uses this package.
 */
@NullMarked
package dev.weir.cli.demo;

import org.jspecify.annotations.NullMarked;
