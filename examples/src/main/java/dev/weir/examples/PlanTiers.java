package dev.weir.examples;

import dev.weir.RateLimiter;
import dev.weir.http.HttpLimiter;
import dev.weir.rules.LiveRules;
import dev.weir.rules.RuleSet;
import dev.weir.servlet.WeirFilter;
import dev.weir.spi.LimitStore;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An API whose limit depends on the customer's plan. The rules can be replaced while they are in
 * use; what a customer has used stays counted.
 */
final class PlanTiers {
  static final String RULES =
      """
      rules:
        - name: api
          when: {path: /api/**}
          limits:
            - name: plan
              key: customer
              by: plan
              limit: {free: 100 per minute, premium: 1000 per minute}
            - {name: anonymous, key: stranger, limit: 20 per minute}
      """;

  /** Stands for the customers' database. */
  record Customer(String name, String plan) {}

  private static final Map<String, Customer> BY_API_KEY =
      Map.of("key-1", new Customer("acme", "free"), "key-2", new Customer("globex", "premium"));

  private PlanTiers() {}

  static WeirFilter filter(LiveRules rules, LimitStore store) {
    HttpLimiter limiter = HttpLimiter.byRules(rules, RateLimiter.forClaims(store)).build();
    return WeirFilter.builder(limiter)
        .attribute("customer", request -> attribute(request, Customer::name))
        .attribute("plan", request -> attribute(request, Customer::plan))
        .attribute(
            "stranger", request -> customer(request) == null ? request.getRemoteAddr() : null)
        .build();
  }

  static LiveRules rules() {
    return new LiveRules(RuleSet.parse("plans", RULES));
  }

  private static @Nullable String attribute(
      HttpServletRequest request, Function<Customer, String> of) {
    Customer customer = customer(request);
    return customer == null ? null : of.apply(customer);
  }

  private static @Nullable Customer customer(HttpServletRequest request) {
    String key = request.getHeader("X-Api-Key");
    return key == null ? null : BY_API_KEY.get(key);
  }
}
