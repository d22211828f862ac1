package dev.weir.rules.internal.envoy;

import dev.weir.internal.text.MessageText;
import dev.weir.rules.DescriptorLimit;
import dev.weir.rules.DescriptorRate;
import dev.weir.rules.internal.yaml.FaultCollector;
import dev.weir.rules.internal.yaml.YamlNode;
import dev.weir.rules.internal.yaml.YamlNode.Mapping;
import dev.weir.rules.internal.yaml.YamlNode.Scalar;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the {@code rate_limit} of one descriptor, or its {@code rate_limits}. */
final class RateLimitReader {
  private static final List<String> KEYS =
      List.of(
          "requests_per_unit",
          "unit",
          "period",
          "unlimited",
          "name",
          "replaces",
          "algorithm",
          "burst",
          "lease",
          "on-store-failure");

  private final DomainReader.Defaults defaults;
  private final String path;
  private final boolean shadow;
  private final boolean quota;
  private final FaultCollector faults;

  private final List<DescriptorRate> rates = new ArrayList<>();
  private final Set<String> replaces = new HashSet<>();
  private @Nullable String name;
  private boolean unlimited;

  RateLimitReader(
      DomainReader.Defaults defaults,
      String path,
      boolean shadow,
      boolean quota,
      FaultCollector faults) {
    this.defaults = defaults;
    this.path = path;
    this.shadow = shadow;
    this.quota = quota;
    this.faults = faults;
  }

  /**
   * @param nodes more than one only for {@code rate_limits}
   */
  RateLimitReader read(List<YamlNode> nodes) {
    Set<String> periods = new HashSet<>();
    for (YamlNode node : nodes) {
      if (node instanceof Mapping mapping) {
        EnvoyMapping section = new EnvoyMapping("rate_limit", mapping, KEYS, faults);
        String suffix = nodes.size() == 1 ? "" : "/" + periodText(section);
        if (!periods.add(suffix)) {
          faults.add(node.at(), "rate_limits must differ in their unit or period");
        }
        read(section, suffix);
      } else {
        faults.add(
            node.at(),
            "rate_limit must be a mapping with requests_per_unit and unit, was " + node.kind());
      }
    }
    if (unlimited && nodes.size() > 1) {
      faults.add(nodes.get(0).at(), "rate_limits must not hold an unlimited one beside others");
    }
    return this;
  }

  private static String periodText(EnvoyMapping section) {
    String unit = section.string("unit");
    String period = section.string("period");
    String text = unit == null ? period : unit.toLowerCase(java.util.Locale.ROOT);
    return text == null ? "?" : text;
  }

  private void read(EnvoyMapping section, String suffix) {
    readNames(section);
    if (section.flag("unlimited")) {
      unlimited = true;
      Scalar unit = section.text("unit");
      if (unit != null && !unit.text().equalsIgnoreCase("unknown")) {
        faults.add(unit.at(), "unit must not be given with unlimited, was " + unit.kind());
      }
      return;
    }
    DescriptorRate rate =
        new DescriptorRateReader(defaults, path + suffix, shadow, quota, faults).read(section);
    if (rate != null) {
      rates.add(rate);
    }
  }

  private void readNames(EnvoyMapping section) {
    String own = section.string("name");
    name = own == null ? name : own;
    for (YamlNode item : section.items("replaces")) {
      Scalar replaced = replaced(item);
      if (replaced == null) {
        continue;
      }
      if (replaced.text().equals(own)) {
        faults.add(
            replaced.at(),
            "replaces must name another limit, was the limit's own name \""
                + MessageText.shown(own)
                + '"');
      }
      replaces.add(replaced.text());
    }
  }

  private @Nullable Scalar replaced(YamlNode item) {
    if (!(item instanceof Mapping mapping)) {
      faults.add(item.at(), "replaces must be a list of mappings with name, was " + item.kind());
      return null;
    }
    Scalar replaced = new EnvoyMapping("replaces", mapping, List.of("name"), faults).text("name");
    if (replaced == null) {
      faults.add(item.at(), "replaces must have name: the limit that does not count beside this");
    }
    return replaced;
  }

  /** Null if it is faulty. */
  @Nullable DescriptorLimit limit(
      boolean countOverLimit, boolean detailedMetric, Map<String, Object> metadata) {
    if (rates.isEmpty() && !unlimited) {
      return null;
    }
    return new DescriptorLimit(
        path,
        Optional.ofNullable(name),
        replaces,
        unlimited ? List.of() : rates,
        shadow,
        quota,
        countOverLimit,
        detailedMetric,
        metadata);
  }
}
