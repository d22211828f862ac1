package dev.weir.examples;

import dev.weir.RateLimiter;
import dev.weir.http.HttpLimiter;
import dev.weir.rules.RuleSet;
import dev.weir.servlet.WeirFilter;
import dev.weir.spi.LimitStore;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Logins, throttled per address and per email: one address cannot try many accounts, and many
 * addresses cannot try one. All three limits are asked at once, and a denied login takes from none.
 */
final class LoginThrottling {
  static final String RULES =
      """
      rules:
        - name: login
          when: {path: /login, method: POST}
          limits:
            - {name: login-ip-minute, key: ip,    limit: 10 per minute, algorithm: sliding-window}
            - {name: login-ip-hour,   key: ip,    limit: 100 per hour}
            - {name: login-email,     key: email, limit: 5 per minute}
          on-store-failure: deny
      """;

  private LoginThrottling() {}

  static WeirFilter filter(LimitStore store) {
    RuleSet rules = RuleSet.parse("login rules", RULES);
    HttpLimiter limiter = HttpLimiter.byRules(() -> rules, RateLimiter.forClaims(store)).build();
    return WeirFilter.builder(limiter).attribute("email", LoginThrottling::email).build();
  }

  /** One account, however its address is written. */
  private static @Nullable String email(HttpServletRequest request) {
    String given = request.getParameter("email");
    return given == null ? null : given.strip().toLowerCase(Locale.ROOT);
  }
}
