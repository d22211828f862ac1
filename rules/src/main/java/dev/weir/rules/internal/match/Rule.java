package dev.weir.rules.internal.match;

import dev.weir.Mode;
import dev.weir.rules.Attributes;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Which requests a set of limits applies to. Immutable.
 *
 * @param conditions all must fit; none at all fit every request
 * @param place where it is written: file and line
 */
public record Rule(String name, List<Condition> conditions, List<RuleLimit> limits, String place) {
  public Rule {
    conditions = List.copyOf(conditions);
    limits = List.copyOf(limits);
  }

  public boolean matches(Attributes attributes) {
    for (int i = 0; i < conditions.size(); i++) { // no iterator: this runs for every request
      if (!conditions.get(i).fits(attributes)) {
        return false;
      }
    }
    return true;
  }

  /** The same limits for every request. */
  public Rule unconditional() {
    return new Rule(name, List.of(), limits, place);
  }

  /** The same rule with some of its limits. */
  public Rule keeping(Predicate<RuleLimit> kept) {
    return new Rule(name, conditions, limits.stream().filter(kept).toList(), place);
  }

  /** The same rule in another mode. */
  public Rule withMode(Mode mode) {
    List<RuleLimit> changed = limits.stream().map(limit -> limit.withMode(mode)).toList();
    return new Rule(name, conditions, changed, place);
  }

  /** Whether a condition looks at one of these attributes. */
  public boolean looksAt(Set<String> attributes) {
    return conditions.stream().anyMatch(condition -> attributes.contains(condition.attribute()));
  }
}
