package dev.weir.rules.internal.envoy;

import dev.weir.internal.text.MessageText;
import dev.weir.rules.DescriptorLimit;
import dev.weir.rules.internal.yaml.FaultCollector;
import dev.weir.rules.internal.yaml.SourcePosition;
import dev.weir.rules.internal.yaml.YamlNode;
import dev.weir.rules.internal.yaml.YamlNode.Mapping;
import dev.weir.rules.internal.yaml.YamlNode.Scalar;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads {@code descriptors}, level by level. */
final class DescriptorReader {
  private static final List<String> KEYS =
      List.of(
          "key",
          "value",
          "rate_limit",
          "rate_limits",
          "descriptors",
          "shadow_mode",
          "quota_mode",
          "detailed_metric",
          "value_to_metric",
          "share_threshold",
          "metadata",
          "name");

  private final DomainReader.Defaults defaults;
  private final FaultCollector faults;

  DescriptorReader(DomainReader.Defaults defaults, FaultCollector faults) {
    this.defaults = defaults;
    this.faults = faults;
  }

  /** What distinguishes the descriptors of one level. */
  private record KeyAndValue(String key, @Nullable String value) {}

  /**
   * @param above the path of the parent, with a dot behind it; empty for the first level
   */
  DescriptorLevel level(String above, List<YamlNode> items) {
    if (items.isEmpty()) {
      return DescriptorLevel.EMPTY;
    }
    Map<KeyAndValue, SourcePosition> places = new HashMap<>();
    List<DescriptorNode> nodes = new ArrayList<>();
    for (YamlNode item : items) {
      if (!(item instanceof Mapping mapping)) {
        faults.add(item.at(), "a descriptor must be a mapping with key, was " + item.kind());
        continue;
      }
      DescriptorNode node = node(above, mapping, places);
      if (node != null) {
        nodes.add(node);
      }
    }
    return new DescriptorLevel(nodes);
  }

  private @Nullable DescriptorNode node(
      String above, Mapping mapping, Map<KeyAndValue, SourcePosition> places) {
    EnvoyMapping section = new EnvoyMapping(owner(mapping), mapping, KEYS, faults);
    String key = section.string("key");
    String value = section.string("value");
    if (key == null) {
      faults.add(section.at(), "a descriptor must have key: the name of an entry that is sent");
    }
    String path = above + path(key == null ? "?" : key, value);
    boolean shared = shared(section, value);
    DescriptorLimit limit = limit(section, path);
    DescriptorLevel children = level(path + ".", section.items("descriptors"));
    if (key == null) {
      return null;
    }
    refuseTwice(new KeyAndValue(key, value), path, section.at(), places);
    return new DescriptorNode(key, value, shared, section.flag("value_to_metric"), limit, children);
  }

  private static String owner(Mapping mapping) {
    for (YamlNode.Entry entry : mapping.entries()) {
      if (entry.key().text().equals("key") && entry.value() instanceof Scalar key) {
        return "descriptor " + key.kind();
      }
    }
    return "a descriptor";
  }

  private static String path(String key, @Nullable String value) {
    return value == null ? key : key + "_" + value;
  }

  private void refuseTwice(
      KeyAndValue name, String path, SourcePosition at, Map<KeyAndValue, SourcePosition> places) {
    SourcePosition first = places.putIfAbsent(name, at);
    if (first != null) {
      faults.add(
          at,
          "descriptor \""
              + MessageText.shown(path)
              + "\" must be there once, was also in line "
              + first.line());
    }
  }

  private boolean shared(EnvoyMapping section, @Nullable String value) {
    boolean shared = section.flag("share_threshold");
    if (shared && (value == null || value.indexOf('*') < 0)) {
      faults.add(section.at(), "share_threshold needs a value with *, whose values count together");
    }
    return shared;
  }

  private @Nullable DescriptorLimit limit(EnvoyMapping section, String path) {
    boolean shadow = section.flag("shadow_mode");
    boolean quota = section.flag("quota_mode");
    boolean detailed = section.flag("detailed_metric");
    Map<String, Object> metadata = new MetadataReader(faults).read(section.get("metadata"));
    RateLimitReader rates = new RateLimitReader(defaults, path, shadow, quota, faults);
    YamlNode one = section.get("rate_limit");
    List<YamlNode> several = section.items("rate_limits");
    if (one != null && !several.isEmpty()) {
      faults.add(section.at(), "a descriptor must have rate_limit or rate_limits, was given both");
    }
    if (quota && several.size() > 1) {
      faults.add(section.at(), "quota_mode needs a single rate_limit, was given several");
    }
    if (one == null && several.isEmpty()) {
      return null;
    }
    return rates
        .read(one == null ? several : List.of(one))
        .limit(defaults.countOverLimit(), detailed, metadata);
  }
}
