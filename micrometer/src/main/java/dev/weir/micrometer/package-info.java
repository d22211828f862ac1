/**
 * Metrics of decisions, stores, guards and rules, in any Micrometer registry.
 *
 * <p>Everything public is {@link dev.weir.micrometer.WeirMetrics}: a listener of all of them, and a
 * way to time a store. Start there; the other classes hold the meters of one subject each.
 */
@NullMarked
package dev.weir.micrometer;

import org.jspecify.annotations.NullMarked;
