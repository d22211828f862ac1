/**
 * The calls that decide: {@code /v1/check}, {@code /v1/peek}, {@code /v1/charge}, those that come
 * after a check: {@code /v1/release}, {@code /v1/renew}, {@code /v1/settle}, {@code /v1/outcome},
 * and {@code /v1/authorize} for proxies. They translate between HTTP and {@code LimitService}.
 *
 * <p>Internal to the server, which adds them to its router. Start reading at {@link
 * dev.weir.server.http.decision.DecisionCalls}.
 */
@NullMarked
package dev.weir.server.http.decision;

import org.jspecify.annotations.NullMarked;
