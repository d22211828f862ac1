package dev.weir.rules.internal.envoy;

import dev.weir.FailurePolicy;
import dev.weir.Limit;
import dev.weir.Mode;
import dev.weir.Policy;
import dev.weir.rules.DescriptorEntry;
import dev.weir.rules.DescriptorLimit;
import dev.weir.rules.DescriptorMatch;
import dev.weir.rules.DescriptorRate;
import dev.weir.rules.RateUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A limit that comes with the request: a fixed window, which is never in shadow or quota mode. */
public final class RequestedLimit {
  private RequestedLimit() {}

  /**
   * @param rule what the request would be limited by without it; null for nothing
   */
  public static DescriptorMatch match(
      Domain domain,
      @Nullable DescriptorMatch rule,
      List<DescriptorEntry> entries,
      long requests,
      RateUnit unit) {
    String key = DescriptorKey.of(entries);
    boolean sharesCounter = rule != null && sharesCounter(rule, key, unit);
    String name = sharesCounter ? rule.limit().path() : "override/" + unit.text();
    Limit limit = Limit.fixedWindow(Math.max(1, requests), unit.length());
    Policy policy = new Policy(domain.name(), name, limit, Mode.ENFORCE, FailurePolicy.ERROR);
    DescriptorLimit requested =
        new DescriptorLimit(
            name,
            Optional.empty(),
            Set.of(),
            List.of(new DescriptorRate(policy, requests, unit)),
            false,
            false,
            domain.countOverLimit(),
            false,
            Map.of());
    return new DescriptorMatch(requested, key, name);
  }

  private static boolean sharesCounter(DescriptorMatch rule, String key, RateUnit unit) {
    List<DescriptorRate> rates = rule.limit().rates();
    return rates.size() == 1 && rates.get(0).unit() == unit && rule.key().equals(key);
  }
}
