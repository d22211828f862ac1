package dev.weir.spring;

import dev.weir.rules.LiveRules;
import dev.weir.rules.RuleSet;
import dev.weir.testkit.SwitchableStore;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What the applications of the tests have in common, on MVC and on WebFlux. */
@Configuration(proxyBeanMethods = false)
class SharedBeans {
  /** Names the rule that {@link LimitedService} needs at the start; tests replace it. */
  static final String RULES =
      """
      rules:
        - name: calls
          limits: [{name: calls, key: key, limit: 1 per minute}]
      """;

  @Bean
  LiveRules rules() {
    return new LiveRules(RuleSet.parse("test", RULES));
  }

  @Bean
  SwitchableStore store() {
    return new SwitchableStore();
  }

  @Bean
  HandledRequests requests() {
    return new HandledRequests();
  }

  @Bean
  LimitedService limitedService() {
    return new LimitedService();
  }

  @Bean
  RequestAttribute plan() {
    return RequestAttribute.ofPrincipal(
        "plan", principal -> principal.getName().equals("ann") ? "premium" : "free");
  }

  @Bean
  RequestAttribute tenant() {
    return RequestAttribute.ofRequest(
        "tenant", request -> request.getHeaders().getFirst("X-Tenant"));
  }
}
