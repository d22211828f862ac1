package dev.weir.rules.internal.envoy;

import dev.weir.rules.internal.match.Glob;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The descriptors side by side under one parent. Immutable. */
public final class DescriptorLevel {
  static final DescriptorLevel EMPTY = new DescriptorLevel(List.of());

  private final List<DescriptorNode> nodes;
  private final Map<String, SameKey> byKey = new LinkedHashMap<>();
  private final boolean metricsNameValues;

  /** The descriptors of one key. */
  private static final class SameKey {
    final Map<String, DescriptorNode> exact = new HashMap<>();
    final List<Pattern> patterns = new ArrayList<>();
    @Nullable DescriptorNode any;
  }

  private record Pattern(Glob glob, DescriptorNode node) {}

  DescriptorLevel(List<DescriptorNode> nodes) {
    this.nodes = List.copyOf(nodes);
    nodes.forEach(this::file);
    metricsNameValues = nodes.stream().anyMatch(DescriptorNode::metricsNameValues);
  }

  private void file(DescriptorNode node) {
    SameKey same = byKey.computeIfAbsent(node.key(), key -> new SameKey());
    String value = node.value();
    if (value == null) {
      same.any = node;
      return;
    }
    same.exact.put(value, node);
    if (node.hasPattern()) {
      same.patterns.add(new Pattern(new Glob(value), node));
    }
  }

  /** In the order of the file. */
  public List<DescriptorNode> nodes() {
    return nodes;
  }

  /** Whether the metrics of a limit here or below name values of requests. */
  boolean metricsNameValues() {
    return metricsNameValues;
  }

  Set<String> keys() {
    return byKey.keySet();
  }

  boolean isEmpty() {
    return nodes.isEmpty();
  }

  /** The equal value first, then patterns in their order, then the key alone. */
  @Nullable DescriptorNode find(String key, String value) {
    SameKey same = byKey.get(key);
    if (same == null) {
      return null;
    }
    DescriptorNode exact = same.exact.get(value);
    if (exact != null) {
      return exact;
    }
    for (Pattern pattern : same.patterns) {
      if (pattern.glob.matches(value)) {
        return pattern.node;
      }
    }
    return same.any;
  }
}
