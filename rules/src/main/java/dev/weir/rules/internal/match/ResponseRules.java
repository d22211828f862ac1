package dev.weir.rules.internal.match;

import dev.weir.Policy;
import dev.weir.Receipt;
import dev.weir.Receipt.Grant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The response rules of all limits that have one, by the names of rule and limit. Immutable. */
public final class ResponseRules {
  private final Map<NamedLimit, ResponseRule> rules;

  private ResponseRules(Map<NamedLimit, ResponseRule> rules) {
    this.rules = rules;
  }

  private record NamedLimit(String rule, String limit) {}

  public static ResponseRules of(List<Rule> rules) {
    Map<NamedLimit, ResponseRule> found = new HashMap<>();
    for (Rule rule : rules) {
      for (RuleLimit limit : rule.limits()) {
        if (limit.responses() != null) {
          found.put(new NamedLimit(rule.name(), limit.name()), limit.responses());
        }
      }
    }
    return new ResponseRules(Map.copyOf(found));
  }

  public boolean isEmpty() {
    return rules.isEmpty();
  }

  /** The grants of limits that do not count such a response. */
  public Optional<Receipt> givenBack(Receipt receipt, int status) {
    if (rules.isEmpty()) {
      return Optional.empty();
    }
    List<Grant> grants =
        receipt.grants().stream().filter(grant -> isGivenBack(grant, status)).toList();
    return grants.isEmpty() ? Optional.empty() : Optional.of(new Receipt(grants));
  }

  private boolean isGivenBack(Grant grant, int status) {
    Policy policy = grant.claim().policy();
    ResponseRule rule = rules.get(new NamedLimit(policy.rule(), policy.name()));
    return rule != null && rule.givesBack(status);
  }
}
