/** Metrics of decisions, stores, guards and rules. */
@NullMarked
package dev.weir.micrometer;

import org.jspecify.annotations.NullMarked;
