/** Weir and its peers side by side: what a decision costs, and what a key weighs. */
@NullMarked
package dev.weir.benchmarks;

import org.jspecify.annotations.NullMarked;
