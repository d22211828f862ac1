package dev.weir.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.core.annotation.AliasFor;

/**
 * Limits calls of a bean's method by a rule of the rule set.
 *
 * <pre>{@code
 * @RateLimited(value = "orders", key = "#user.id", permits = "#items.size()")
 * public Receipt order(User user, List<Item> items) { … }
 * }</pre>
 *
 * <pre>{@code
 * weir:
 *   rules:
 *     - name: orders
 *       limits:
 *         - {name: orders-minute, key: key, limit: 100 per minute}
 *         - {name: orders-day, key: key, limit: 2000 per day, algorithm: fixed-window}
 * }</pre>
 *
 * <p>All limits of the rule apply, whatever its {@code when}. The value of {@link #key} is the
 * attribute {@code key} of the call. Several annotations, and all their limits, are one decision:
 * they take together or not at all. A call that is denied throws {@link RateLimitedException},
 * unless there is a {@link #fallback}.
 *
 * <p>On a class it holds for all its methods but those with annotations of their own. It can stand
 * on other annotations, whose attributes can be aliases of these. A method that returns a {@code
 * CompletionStage}, a {@code Mono}, a {@code Flux} or another reactive type is decided without
 * blocking a thread: reactive types once per subscription, and the denial is the failure of what is
 * returned. As with all annotations of Spring, calls inside one bean are not seen.
 *
 * <p>It runs inside {@code @Retryable}, so each attempt pays, and outside {@code @Transactional},
 * so that a denied call opens no transaction.
 */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@Repeatable(RateLimits.class)
public @interface RateLimited {
  /** The name of the rule; may hold placeholders: {@code ${orders.rule}}. */
  @AliasFor("rule")
  String value() default "";

  /** The name of the rule. */
  @AliasFor("value")
  String rule() default "";

  /**
   * Whom the call counts for: a SpEL expression over the arguments, {@code #user.id} or {@code
   * #p0}, {@code #root} being the bean, with beans as {@code @clients.current()}. A map gives
   * several attributes at once: {@code {tenant: #tenant, plan: #user.plan}}. Empty for rules that
   * count all calls as one ({@code key: []}).
   */
  String key() default "";

  /** How many permits the call costs: a SpEL expression for a whole number, 0 or more. */
  String permits() default "1";

  /**
   * A method of the same class that is called instead when the call is denied: with the same
   * parameters, and optionally a {@link RateLimitedException} as the last one, and the same return
   * type. Empty to throw.
   */
  String fallback() default "";
}
