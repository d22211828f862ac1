/**
 * One small application per scenario. Each class says in its first lines what it protects; its test
 * proves it. {@link dev.weir.examples.Examples} runs one by name.
 */
@NullMarked
package dev.weir.examples;

import org.jspecify.annotations.NullMarked;
