/**
 * Envoy's rate-limit protocol as JSON: {@code POST /json}, as the reference service has it.
 *
 * <p>Start at {@link dev.weir.server.http.envoy.RateLimitJsonCall}.
 */
@NullMarked
package dev.weir.server.http.envoy;

import org.jspecify.annotations.NullMarked;
