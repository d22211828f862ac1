package dev.weir.rules.internal.envoy;

import dev.weir.internal.text.HumanDuration;
import dev.weir.internal.text.MessageText;
import dev.weir.rules.Attributes;
import dev.weir.rules.DescriptorLimit;
import dev.weir.rules.DescriptorMatch;
import dev.weir.rules.DescriptorRate;
import dev.weir.rules.DescriptorRules;
import dev.weir.rules.Explanation.LimitView;
import dev.weir.rules.Explanation.RuleView;
import dev.weir.rules.RateUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The descriptors of a request that is known by its attributes: one for every rule whose keys are
 * all attributes of the request.
 */
public final class AttributeDescriptors {
  /** The attribute that names the domain. */
  public static final String DOMAIN = "domain";

  private AttributeDescriptors() {}

  /** In the order of the file. */
  public static List<DescriptorMatch> matches(Domain domain, Attributes attributes) {
    List<DescriptorMatch> matches = new ArrayList<>();
    DescriptorLevel level = domain.descriptors();
    collect(level, attributes, new DescriptorKey(level.metricsNameValues()), matches);
    return matches;
  }

  private static void collect(
      DescriptorLevel level, Attributes attributes, DescriptorKey above, List<DescriptorMatch> to) {
    for (String key : level.keys()) {
      String value = attributes.get(key);
      DescriptorNode node = value == null ? null : level.find(key, value);
      if (node != null) {
        DescriptorKey here = above.copy();
        here.add(node, value);
        if (node.limit() != null) {
          to.add(here.match(node.limit()));
        }
        collect(node.children(), attributes, here, to);
      }
    }
  }

  /** Adds every attribute that a domain looks at. */
  public static void addAttributes(DescriptorLevel level, Set<String> names) {
    names.addAll(level.keys());
    level.nodes().forEach(node -> addAttributes(node.children(), names));
  }

  public static RuleView explain(Domain domain, Attributes attributes) {
    String asked = attributes.get(DOMAIN);
    if (!domain.name().equals(asked)) {
      String found = asked == null ? "the request has none" : "was " + MessageText.shown(asked);
      return new RuleView(
          domain.name(), false, "domain must be " + domain.name() + ", " + found, List.of());
    }
    List<DescriptorMatch> found = matches(domain, attributes);
    List<@Nullable DescriptorMatch> left = new ArrayList<>(found);
    DescriptorRules.dropReplaced(left);
    List<LimitView> limits = new ArrayList<>();
    for (int i = 0; i < found.size(); i++) {
      limits.addAll(views(found.get(i), left.get(i) == null));
    }
    String reason =
        limits.isEmpty()
            ? "domain " + domain.name() + ", but no descriptor fits the other attributes"
            : "domain " + domain.name();
    return new RuleView(domain.name(), true, reason, limits);
  }

  private static List<LimitView> views(DescriptorMatch match, boolean replaced) {
    DescriptorLimit limit = match.limit();
    if (limit.unlimited()) {
      return List.of(new LimitView(limit.path(), false, "unlimited", match.key()));
    }
    return limit.rates().stream()
        .map(
            rate ->
                new LimitView(
                    rate.policy().name(),
                    !replaced,
                    text(rate) + (replaced ? ", replaced by another limit" : ""),
                    match.key()))
        .collect(Collectors.toList());
  }

  /** {@code 10 per minute}. */
  static String text(DescriptorRate rate) {
    boolean known = rate.unit() != RateUnit.UNKNOWN;
    String period = known ? rate.unit().text() : HumanDuration.of(rate.limit().period());
    return rate.requests() + " per " + period;
  }
}
