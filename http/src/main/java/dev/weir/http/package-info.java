/**
 * HTTP without a framework, for integrations.
 *
 * <p>All of it at once: {@link dev.weir.http.HttpLimiter} turns an {@link
 * dev.weir.http.IncomingRequest} into an {@link dev.weir.http.HttpAnswer}, by rules or by one
 * limiter and a {@link dev.weir.http.KeyResolver}. Integrations only translate at both ends.
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
