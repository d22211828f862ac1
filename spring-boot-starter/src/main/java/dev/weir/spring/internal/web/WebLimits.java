package dev.weir.spring.internal.web;

import dev.weir.RateLimiter;
import dev.weir.http.ClientAddress;
import dev.weir.http.HttpLimiter;
import dev.weir.http.RateLimitFields;
import dev.weir.http.RequestAttributes;
import dev.weir.rules.RuleSet;
import dev.weir.spring.RequestAttribute;
import dev.weir.spring.internal.rules.RuleSteps;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * What decides about requests, in two steps: by limits that need not know the user, before a
 * request is authenticated, and by all others after that. Safe for many threads.
 */
public final class WebLimits {
  private final List<RequestAttribute> attributes;
  private final RuleSteps steps;
  private final HttpLimiter before;
  private final HttpLimiter after;

  public WebLimits(
      Supplier<RuleSet> rules,
      RateLimiter limiter,
      ClientAddress addresses,
      RateLimitFields fields,
      List<RequestAttribute> attributes) {
    this.attributes = List.copyOf(attributes);
    this.steps = new RuleSteps(rules, principalAttributes(attributes));
    this.before =
        HttpLimiter.byRules(steps::beforeAuthentication, limiter)
            .clientAddress(addresses)
            .fields(fields)
            .build();
    this.after =
        HttpLimiter.byRules(steps::afterAuthentication, limiter)
            .clientAddress(addresses)
            .fields(fields)
            .build();
  }

  private static Set<String> principalAttributes(List<RequestAttribute> attributes) {
    Set<String> names = new HashSet<>(Set.of(RequestAttributes.USER));
    attributes.stream()
        .filter(RequestAttribute::isOfPrincipal)
        .forEach(attribute -> names.add(attribute.name()));
    return names;
  }

  public List<RequestAttribute> attributes() {
    return attributes;
  }

  /** For the step before authentication. */
  public HttpLimiter before() {
    return before;
  }

  /** For the step after authentication. */
  public HttpLimiter after() {
    return after;
  }

  /** Whether any limit has to wait for authentication. */
  public boolean hasLimitsAfter() {
    return !steps.afterAuthentication().names().isEmpty();
  }
}
