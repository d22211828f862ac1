package dev.weir.rules.internal.envoy;

import dev.weir.rules.DescriptorEntry;
import dev.weir.rules.DescriptorLimit;
import dev.weir.rules.DescriptorMatch;
import java.util.List;

/**
 * Collects what a descriptor is counted under, entry by entry: {@code user=ann,path=/x}. Not safe
 * for many threads.
 *
 * <p>No two descriptors share a key by the choice of their keys and values: a {@code ,}, {@code =}
 * or {@code ~} inside gets a {@code ~} in front. A value that the rules have all values of a
 * pattern share is {@code ~*} and the pattern, which no escaped text begins with.
 */
final class DescriptorKey {
  private static final String SHARED = "~*";

  private final StringBuilder key = new StringBuilder(48);
  private final StringBuilder metric = new StringBuilder();
  private boolean namesValues;

  /** The key of entries that no rule is known for. */
  static String of(List<DescriptorEntry> entries) {
    DescriptorKey key = new DescriptorKey();
    entries.forEach(entry -> key.append(entry.key(), entry.value(), false));
    return key.key.toString();
  }

  private DescriptorKey(DescriptorKey other) {
    key.append(other.key);
    metric.append(other.metric);
    namesValues = other.namesValues;
  }

  DescriptorKey() {}

  DescriptorKey copy() {
    return new DescriptorKey(this);
  }

  void add(DescriptorNode node, String value) {
    boolean shared = node.shared() && node.hasPattern() && node.value() != null;
    append(node.key(), shared ? node.value() : value, shared);
    addMetric(node, value);
  }

  private void append(String name, String value, boolean shared) {
    if (key.length() > 0) {
      key.append(',');
    }
    escape(name);
    key.append('=');
    if (shared) {
      key.append(SHARED);
    }
    escape(value);
  }

  private void escape(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == ',' || c == '=' || c == '~') {
        key.append('~');
      }
      key.append(c);
    }
  }

  /** Only for the few limits whose metrics name values. */
  private void addMetric(DescriptorNode node, String value) {
    namesValues |= node.valueToMetric() && !(node.shared() && node.hasPattern());
    boolean detailed = node.limit() != null && node.limit().detailedMetric();
    boolean named = node.valueToMetric() || detailed && node.value() == null;
    if (metric.length() > 0) {
      metric.append('.');
    }
    metric.append(node.key());
    if (node.shared() && node.hasPattern()) {
      metric.append('_').append(node.value());
    } else if (named) {
      metric.append('_').append(value);
    } else if (node.value() != null) {
      metric.append('_').append(node.value());
    }
  }

  DescriptorMatch match(DescriptorLimit limit) {
    boolean named = namesValues || limit.detailedMetric();
    return new DescriptorMatch(limit, key.toString(), named ? metric.toString() : limit.path());
  }
}
