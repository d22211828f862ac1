package dev.weir.servlet;

import dev.weir.RateLimiter;
import dev.weir.http.HttpLimiter;
import dev.weir.rules.RuleSet;
import dev.weir.testkit.HttpIntegrationContract;

/** The filter on Tomcat, waiting for the store on the container's thread. */
class WeirFilterContractTest extends HttpIntegrationContract {
  @Override
  protected Application start(Setup setup) {
    RuleSet rules = RuleSet.parse("contract", setup.rules());
    HttpLimiter limiter =
        HttpLimiter.byRules(() -> rules, RateLimiter.forClaims(setup.store())).build();
    return new TomcatApplication(filter(limiter), setup.handled());
  }

  WeirFilter filter(HttpLimiter limiter) {
    return WeirFilter.of(limiter);
  }
}
