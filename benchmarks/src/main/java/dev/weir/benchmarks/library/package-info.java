/** One class per library, each at its best setting. */
@NullMarked
package dev.weir.benchmarks.library;

import org.jspecify.annotations.NullMarked;
