/** The service under load for minutes, while its rules and its Redis are disturbed. */
@NullMarked
package dev.weir.benchmarks.soak;

import org.jspecify.annotations.NullMarked;
