package dev.weir.spring.internal.actuate;

import dev.weir.StoreStatus;
import dev.weir.rules.RuleStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * The health of the limits: always up, because every request is answered, if need be by failure
 * policies. What is wrong is in the details, so that an outage of Redis does not take the
 * application out of service.
 */
public final class WeirHealthIndicator extends AbstractHealthIndicator {
  private final String storeName;
  private final Supplier<List<String>> storeWarnings;
  private final StoreStatus store;
  private final RuleStatus rules;

  /**
   * @param storeName for people, without a password
   */
  public WeirHealthIndicator(
      String storeName, Supplier<List<String>> storeWarnings, StoreStatus store, RuleStatus rules) {
    this.storeName = storeName;
    this.storeWarnings = storeWarnings;
    this.store = store;
    this.rules = rules;
  }

  @Override
  protected void doHealthCheck(Health.Builder health) {
    List<String> reasons = reasons();
    health
        .up()
        .withDetail("store", storeName)
        .withDetail("rules", rules.inEffect().toString())
        .withDetail("fallback", store.fallback())
        .withDetail("degraded", !reasons.isEmpty());
    if (!reasons.isEmpty()) {
      health.withDetail("reasons", reasons);
    }
  }

  private List<String> reasons() {
    List<String> reasons = new ArrayList<>(store.faults());
    rules.refusal().ifPresent(refused -> reasons.add("new rules were refused at " + refused.at()));
    reasons.addAll(storeWarnings.get());
    return reasons;
  }
}
