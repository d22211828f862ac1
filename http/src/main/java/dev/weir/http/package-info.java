/**
 * HTTP without a framework, for integrations.
 *
 * <p>From a request to attributes: start at {@link dev.weir.http.RequestAttributes}, the one place
 * where outside text becomes what rules see; {@link dev.weir.http.RequestPath} reads paths, {@link
 * dev.weir.http.ClientAddress} finds whose request it is.
 *
 * <p>From a decision to an answer: {@link dev.weir.http.RateLimitFields} writes the header fields,
 * {@link dev.weir.http.Problem} and {@link dev.weir.http.DecisionJson} the bodies.
 */
@NullMarked
package dev.weir.http;

import org.jspecify.annotations.NullMarked;
