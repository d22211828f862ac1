/**
 * HTTP without a framework: {@link dev.weir.http.RateLimitFields} and {@link dev.weir.http.Problem}
 * tell a client of its limits, {@link dev.weir.http.DecisionJson} is a decision as JSON, and {@link
 * dev.weir.http.ClientAddress} says whose request it is.
 */
@NullMarked
package dev.weir.http;

import org.jspecify.annotations.NullMarked;
