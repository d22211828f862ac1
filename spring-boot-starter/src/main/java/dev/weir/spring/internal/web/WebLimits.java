package dev.weir.spring.internal.web;

import dev.weir.RateLimiter;
import dev.weir.http.ClientAddress;
import dev.weir.http.HttpLimiter;
import dev.weir.http.RateLimitFields;
import dev.weir.http.RequestAttributes;
import dev.weir.rules.RuleSet;
import dev.weir.spring.RequestAttribute;
import dev.weir.spring.internal.rules.RuleSteps;
import dev.weir.spring.internal.rules.RulesByName;
import dev.weir.spring.internal.setting.InvalidSettingException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Decides about requests in two steps: before authentication by the limits that do not use
 * attributes of the user, after it by all others. Safe for many threads.
 */
public final class WebLimits {
  private final List<RequestAttribute> attributes;
  private final RuleSteps steps;
  private final RulesByName rules;
  private final RateLimiter limiter;
  private final ClientAddress addresses;
  private final RateLimitFields fields;
  private final HttpLimiter before;
  private final HttpLimiter after;

  public WebLimits(
      RulesByName rules,
      RateLimiter limiter,
      ClientAddress addresses,
      RateLimitFields fields,
      List<RequestAttribute> attributes) {
    this.attributes = List.copyOf(attributes);
    this.steps = new RuleSteps(rules::all, principalAttributes(attributes));
    this.rules = rules;
    this.limiter = limiter;
    this.addresses = addresses;
    this.fields = fields;
    this.before = limiter(steps::beforeAuthentication);
    this.after = limiter(steps::afterAuthentication);
  }

  private HttpLimiter limiter(Supplier<RuleSet> chosen) {
    return HttpLimiter.byRules(chosen, limiter).clientAddress(addresses).fields(fields).build();
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

  /**
   * By the limits of one rule, whatever its conditions.
   *
   * @param place what names the rule, for messages
   * @throws InvalidSettingException if there is no such rule
   */
  public HttpLimiter byRule(String name, String place) {
    rules.require(name, place);
    return limiter(() -> rules.findOrEmpty(name, place));
  }

  /** Which header fields answers have. */
  public RateLimitFields fields() {
    return fields;
  }

  /** Whether any limit has to wait for authentication. */
  public boolean hasLimitsAfter() {
    return !steps.afterAuthentication().names().isEmpty();
  }
}
