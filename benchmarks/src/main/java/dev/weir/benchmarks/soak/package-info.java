/**
 * Minutes of load on two instances of the service while its rules and its Redis are disturbed.
 * Start with {@link dev.weir.benchmarks.soak.Soak}: {@code SoakLoad} asks, {@code Disturbances}
 * disturbs, {@code AnswerStatistics} counts, and {@code SoakVerdict} says what was wrong.
 */
@NullMarked
package dev.weir.benchmarks.soak;

import org.jspecify.annotations.NullMarked;
