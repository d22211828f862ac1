/**
 * Rate limits for routes of Spring Cloud Gateway.
 *
 * <p>Most gateways name our filter in YAML and use no class of this package. Routes made in Java
 * use {@link dev.weir.spring.gateway.WeirGatewayFilterFactory} on WebFlux and {@link
 * dev.weir.spring.gateway.WeirFilterFunctions} on WebMVC; {@link
 * dev.weir.spring.gateway.WeirRateLimiter} stands behind the gateway's own {@code
 * RequestRateLimiter}. Start reading at the filter of your server: both only translate, and {@link
 * dev.weir.http.HttpLimiter} decides.
 *
 * <p>What is below {@code internal} may change without notice: the auto-configuration, and the
 * checks of routes when the application starts.
 */
@NullMarked
package dev.weir.spring.gateway;

import org.jspecify.annotations.NullMarked;
