package dev.weir.rules.internal.write;

import dev.weir.FailurePolicy;
import dev.weir.Mode;
import dev.weir.Policy;
import dev.weir.internal.text.KebabCase;
import dev.weir.rules.internal.envoy.Domain;
import dev.weir.rules.internal.match.Condition;
import dev.weir.rules.internal.match.Rule;
import dev.weir.rules.internal.match.TextPattern;
import java.util.Collection;
import java.util.List;

/**
 * Writes rules as one text that reads as the same rules.
 *
 * <p>What is the default, or has no effect, is left out. So equal rules have equal texts, and
 * reading a text and writing it again changes nothing.
 */
public final class RulesWriter {
  private RulesWriter() {}

  public static String write(List<Rule> rules, Collection<Domain> domains) {
    YamlMapping out = new YamlMapping();
    if (!rules.isEmpty()) {
      out.putAll("rules", rules.stream().map(RulesWriter::write).toList());
    }
    if (!domains.isEmpty()) {
      out.putAll("domains", domains.stream().map(DomainWriter::write).toList());
    }
    return out.toYaml();
  }

  private static YamlMapping write(Rule rule) {
    YamlMapping out = new YamlMapping().put("name", rule.name());
    if (!rule.conditions().isEmpty()) {
      out.put("when", write(rule.conditions()));
    }
    out.putAll("limits", rule.limits().stream().map(LimitWriter::write).toList());
    writeHead(rule.limits().get(0).blocked(), out);
    return out;
  }

  private static YamlMapping write(Iterable<Condition> conditions) {
    YamlMapping out = new YamlMapping();
    for (Condition condition : conditions) {
      out.put(condition.attribute(), condition.patterns().stream().map(TextPattern::text).toList());
    }
    return out;
  }

  /** Settings that a rule has for all its limits are read from the policies of these limits. */
  private static void writeHead(Policy policy, YamlMapping out) {
    if (policy.onStoreFailure() != FailurePolicy.ALLOW) {
      out.put("on-store-failure", KebabCase.of(policy.onStoreFailure()));
    }
    if (policy.mode() != Mode.ENFORCE) {
      out.put("mode", KebabCase.of(policy.mode()));
    }
  }
}
