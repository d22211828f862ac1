package dev.weir.rules.internal.envoy;

import dev.weir.rules.DescriptorEntry;
import dev.weir.rules.DescriptorLimit;
import dev.weir.rules.DescriptorMatch;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One descriptor of a file. Immutable.
 *
 * @param value a text in which {@code *} stands for any characters; null for every value
 * @param shared whether all values that fit the pattern count together
 * @param valueToMetric whether metrics name the value that was sent
 * @param limit null if what ends here is not limited
 */
public record DescriptorNode(
    String key,
    @Nullable String value,
    boolean shared,
    boolean valueToMetric,
    @Nullable DescriptorLimit limit,
    DescriptorLevel children) {

  boolean metricsNameValues() {
    return valueToMetric || limit != null && limit.detailedMetric() || children.metricsNameValues();
  }

  boolean hasPattern() {
    return value != null && value.indexOf('*') >= 0;
  }

  /** Null if the entries lead to no limit. */
  public static @Nullable DescriptorMatch find(Domain domain, List<DescriptorEntry> entries) {
    DescriptorLevel level = domain.descriptors();
    DescriptorKey key = new DescriptorKey(level.metricsNameValues());
    DescriptorNode node = null;
    for (DescriptorEntry entry : entries) {
      node = level.find(entry.key(), entry.value());
      if (node == null) {
        return null;
      }
      key.add(node, entry.value());
      level = node.children;
    }
    return node == null || node.limit == null ? null : key.match(node.limit);
  }
}
