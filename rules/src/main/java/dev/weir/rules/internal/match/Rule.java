package dev.weir.rules.internal.match;

import dev.weir.rules.Attributes;
import java.util.List;

/**
 * Which requests a set of limits applies to. Immutable.
 *
 * @param conditions all must fit; none at all fit every request
 */
public record Rule(String name, List<Condition> conditions, List<RuleLimit> limits) {
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
}
