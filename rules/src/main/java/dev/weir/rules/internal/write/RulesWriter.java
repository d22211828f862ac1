package dev.weir.rules.internal.write;

import dev.weir.FailurePolicy;
import dev.weir.Mode;
import dev.weir.Policy;
import dev.weir.internal.text.KebabCase;
import dev.weir.rules.internal.match.Condition;
import dev.weir.rules.internal.match.Rule;
import dev.weir.rules.internal.match.TextPattern;
import java.util.List;

/**
 * Writes rules as one text that reads as the same rules.
 *
 * <p>What is the default, or has no effect, is left out. So equal rules have equal texts, and
 * reading a text and writing it again changes nothing.
 */
public final class RulesWriter {
  private final BlockYaml out = new BlockYaml();
  private final LimitWriter limits = new LimitWriter(out);

  private RulesWriter() {}

  public static String write(List<Rule> rules) {
    RulesWriter writer = new RulesWriter();
    writer.out.section(
        "rules", () -> rules.forEach(rule -> writer.out.item(() -> writer.write(rule))));
    return writer.out.toString();
  }

  private void write(Rule rule) {
    out.entry("name", rule.name());
    if (!rule.conditions().isEmpty()) {
      out.section("when", () -> rule.conditions().forEach(this::write));
    }
    out.section(
        "limits", () -> rule.limits().forEach(limit -> out.item(() -> limits.write(limit))));
    writeHead(rule.limits().get(0).blocked());
  }

  private void write(Condition condition) {
    out.entry(condition.attribute(), condition.patterns().stream().map(TextPattern::text).toList());
  }

  /** What a rule says for all its limits stands in the policies of each. */
  private void writeHead(Policy policy) {
    if (policy.onStoreFailure() != FailurePolicy.ALLOW) {
      out.entry("on-store-failure", KebabCase.of(policy.onStoreFailure()));
    }
    if (policy.mode() != Mode.ENFORCE) {
      out.entry("mode", KebabCase.of(policy.mode()));
    }
  }
}
