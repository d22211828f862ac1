/**
 * Rate limits for Spring Boot applications.
 *
 * <p>An application uses this package alone: {@link dev.weir.spring.RateLimited} on methods, {@link
 * dev.weir.spring.RateLimitedException} for denials, {@link dev.weir.spring.RequestAttribute} as a
 * bean, and {@link dev.weir.spring.DenialRetryPredicate} with {@code @Retryable}. Properties begin
 * with {@code weir}. Beans of type {@code LimitStore}, {@code LiveRules} and {@code RateLimiter}
 * replace ours.
 *
 * <p>What is below {@code internal} may change without notice. Start reading it at {@code
 * internal.start}: {@code WeirAutoConfiguration} makes rules, store and limiter, {@code
 * WeirWebAutoConfiguration} the filters of MVC and WebFlux, {@code WeirMethodAutoConfiguration}
 * what {@code @RateLimited} does.
 */
@NullMarked
package dev.weir.spring;

import org.jspecify.annotations.NullMarked;
