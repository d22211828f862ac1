package dev.weir.rules.internal.envoy;

import dev.weir.rules.DescriptorEntry;
import dev.weir.rules.DescriptorLimit;
import dev.weir.rules.DescriptorMatch;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Collects what a descriptor is counted under, entry by entry: {@code user=ann,path=/x}. Not safe
 * for many threads.
 *
 * <p>A client cannot choose keys and values so that two different descriptors share a key: each
 * {@code ,}, {@code =} or {@code ~} inside is escaped with a {@code ~}. Where the rules let all
 * values of a pattern share one counter, the value is {@code ~*} and the pattern; no escaped text
 * begins like that.
 */
final class DescriptorKey {
  private static final String SHARED = "~*";

  private final StringBuilder key = new StringBuilder(48);

  /** What metrics name; null if no limit of the domain asks for values. */
  private final @Nullable StringBuilder metric;

  private boolean namesValues;

  /** The key of entries that no rule is known for. */
  static String of(List<DescriptorEntry> entries) {
    DescriptorKey key = new DescriptorKey(/* metricsNameValues= */ false);
    entries.forEach(entry -> key.append(entry.key(), entry.value(), false));
    return key.key.toString();
  }

  private DescriptorKey(DescriptorKey other) {
    key.append(other.key);
    metric = other.metric == null ? null : new StringBuilder(other.metric);
    namesValues = other.namesValues;
  }

  /**
   * @param metricsNameValues whether a limit of the domain may have metrics by value
   */
  DescriptorKey(boolean metricsNameValues) {
    metric = metricsNameValues ? new StringBuilder() : null;
  }

  DescriptorKey copy() {
    return new DescriptorKey(this);
  }

  void add(DescriptorNode node, String value) {
    boolean shared = node.shared() && node.hasPattern() && node.value() != null;
    append(node.key(), shared ? node.value() : value, shared);
    if (metric != null) {
      addMetric(metric, node, value);
    }
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
    if (text.indexOf(',') < 0 && text.indexOf('=') < 0 && text.indexOf('~') < 0) {
      key.append(text); // nearly always
      return;
    }
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == ',' || c == '=' || c == '~') {
        key.append('~');
      }
      key.append(c);
    }
  }

  private void addMetric(StringBuilder metric, DescriptorNode node, String value) {
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
    boolean named = metric != null && (namesValues || limit.detailedMetric());
    return new DescriptorMatch(limit, key.toString(), named ? metric.toString() : limit.path());
  }
}
