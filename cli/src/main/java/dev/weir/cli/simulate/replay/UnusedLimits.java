package dev.weir.cli.simulate.replay;

import dev.weir.cli.outline.LimitOutline;
import dev.weir.cli.outline.RuleOutline;
import dev.weir.rules.RuleSet;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Limits that no request of a log reached: often a log that lacks an attribute, or a typo. */
public final class UnusedLimits {
  private UnusedLimits() {}

  /**
   * A limit that was never applied, and why.
   *
   * @param name as in a rule file: {@code login/account}
   */
  public record UnusedLimit(String name, String reason) {}

  /**
   * @param unseen attributes of the rules that no request had
   */
  public static List<UnusedLimit> of(
      RuleSet rules, Set<String> unseen, ReplayStatistics statistics) {
    List<UnusedLimit> unused = new ArrayList<>();
    for (RuleOutline rule : RuleOutline.of(rules)) {
      for (LimitOutline limit : rule.limits()) {
        boolean free = "unlimited".equals(limit.settings().get("limit"));
        if (!free && statistics.limits().stream().noneMatch(each -> each.isOf(rule, limit))) {
          unused.add(
              new UnusedLimit(rule.name() + "/" + limit.name(), reason(rule, limit, unseen)));
        }
      }
    }
    return unused;
  }

  private static String reason(RuleOutline rule, LimitOutline limit, Set<String> unseen) {
    Set<String> missing = new LinkedHashSet<>(rule.when().keySet());
    missing.addAll(limit.key());
    missing.retainAll(unseen);
    return switch (missing.size()) {
      case 0 -> "no line matches the rule and has its key";
      case 1 -> "no line has attribute " + missing.iterator().next();
      default -> "no line has attributes " + String.join(", ", missing);
    };
  }
}
