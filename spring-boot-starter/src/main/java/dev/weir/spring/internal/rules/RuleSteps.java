package dev.weir.spring.internal.rules;

import dev.weir.rules.RuleSet;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The rules in effect, divided into limits that use attributes of the authenticated user and all
 * others. Safe for many threads.
 */
public final class RuleSteps {
  private final Supplier<RuleSet> rules;
  private final Set<String> principalAttributes;
  private volatile DividedRules version =
      new DividedRules(RuleSet.empty(), RuleSet.empty(), RuleSet.empty());

  private record DividedRules(RuleSet rules, RuleSet before, RuleSet after) {}

  /**
   * @param principalAttributes known only once a request is authenticated
   */
  public RuleSteps(Supplier<RuleSet> rules, Set<String> principalAttributes) {
    this.rules = rules;
    this.principalAttributes = Set.copyOf(principalAttributes);
  }

  /** The limits that can be decided before a request is authenticated. */
  public RuleSet beforeAuthentication() {
    return current().before;
  }

  /** The limits that can be decided only after that. */
  public RuleSet afterAuthentication() {
    return current().after;
  }

  private DividedRules current() {
    RuleSet current = rules.get();
    DividedRules known = version;
    if (known.rules != current) {
      known =
          new DividedRules(
              current,
              current.notUsingAttributes(principalAttributes),
              current.usingAttributes(principalAttributes));
      version = known;
    }
    return known;
  }
}
