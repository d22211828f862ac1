package dev.weir.cli.outline;

import dev.weir.rules.RuleSet;
import dev.weir.rules.internal.yaml.FaultCollector;
import dev.weir.rules.internal.yaml.YamlNode;
import dev.weir.rules.internal.yaml.YamlNode.Entry;
import dev.weir.rules.internal.yaml.YamlNode.Items;
import dev.weir.rules.internal.yaml.YamlNode.Mapping;
import dev.weir.rules.internal.yaml.YamlNode.Scalar;
import dev.weir.rules.internal.yaml.YamlReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One rule, or one domain of Envoy's format, as a rule file writes it. Immutable.
 *
 * @param when values by attribute; empty if the rule is for every request
 * @param settings the other keys with their values as text
 */
public record RuleOutline(
    String name,
    Map<String, String> when,
    Map<String, String> settings,
    List<LimitOutline> limits) {

  /** The rules in their order, and then the domains. */
  public static List<RuleOutline> of(RuleSet rules) {
    String yaml = rules.toYaml();
    YamlNode document =
        YamlReader.read("rules", yaml.getBytes(StandardCharsets.UTF_8), new FaultCollector());
    if (document == null) {
      throw new IllegalStateException("rules must be at most 16 MiB as one text, were longer");
    }
    List<RuleOutline> outlines = new ArrayList<>();
    items(get(document, "rules")).forEach(rule -> outlines.add(rule(rule)));
    items(get(document, "domains")).forEach(domain -> outlines.add(domain(domain)));
    return List.copyOf(outlines);
  }

  private static RuleOutline rule(YamlNode rule) {
    Map<String, String> settings = new LinkedHashMap<>();
    Map<String, String> when = new LinkedHashMap<>();
    List<LimitOutline> limits = new ArrayList<>();
    String name = "";
    for (Entry entry : entries(rule)) {
      switch (entry.key().text()) {
        case "name" -> name = text(entry.value());
        case "when" -> flatten("", entry.value(), when);
        case "limits" -> items(entry.value()).forEach(limit -> limits.add(limit(limit)));
        default -> flatten(entry.key().text(), entry.value(), settings);
      }
    }
    return new RuleOutline(name, when, settings, limits);
  }

  private static LimitOutline limit(YamlNode limit) {
    Map<String, String> settings = new LinkedHashMap<>();
    String name = "";
    List<String> key = List.of();
    for (Entry entry : entries(limit)) {
      switch (entry.key().text()) {
        case "name" -> name = text(entry.value());
        case "key" -> key = texts(entry.value());
        default -> flatten(entry.key().text(), entry.value(), settings);
      }
    }
    return new LimitOutline(name, key, settings);
  }

  private static RuleOutline domain(YamlNode domain) {
    Map<String, String> settings = new LinkedHashMap<>();
    List<LimitOutline> limits = new ArrayList<>();
    String name = "";
    for (Entry entry : entries(domain)) {
      switch (entry.key().text()) {
        case "domain" -> name = text(entry.value());
        case "descriptors" -> descriptors("", List.of(), entry.value(), limits);
        default -> flatten(entry.key().text(), entry.value(), settings);
      }
    }
    return new RuleOutline(name, Map.of("domain", name), settings, limits);
  }

  private static void descriptors(
      String parent, List<String> keys, YamlNode nodes, List<LimitOutline> limits) {
    for (YamlNode node : items(nodes)) {
      String key = text(get(node, "key"));
      YamlNode value = get(node, "value");
      String name = parent + key + (value == null ? "" : "_" + text(value));
      List<String> path = new ArrayList<>(keys);
      path.add(key);
      Map<String, String> settings = new LinkedHashMap<>();
      for (Entry entry : entries(node)) {
        if (!List.of("key", "value", "descriptors").contains(entry.key().text())) {
          flatten(entry.key().text(), entry.value(), settings);
        }
      }
      if (!settings.isEmpty()) {
        limits.add(new LimitOutline(name, path, settings));
      }
      descriptors(name + ".", path, get(node, "descriptors"), limits);
    }
  }

  /** Nested mappings by dotted names, lists on one line. */
  private static void flatten(String name, @Nullable YamlNode node, Map<String, String> settings) {
    if (node instanceof Mapping mapping) {
      for (Entry entry : mapping.entries()) {
        String key = entry.key().text();
        flatten(name.isEmpty() ? key : name + "." + key, entry.value(), settings);
      }
    } else {
      settings.put(name, text(node));
    }
  }

  private static String text(@Nullable YamlNode node) {
    if (node instanceof Scalar scalar) {
      return scalar.text();
    }
    if (node instanceof Mapping mapping) {
      return mapping.entries().stream()
          .map(entry -> entry.key().text() + ": " + text(entry.value()))
          .collect(Collectors.joining(", "));
    }
    return items(node).stream().map(RuleOutline::text).collect(Collectors.joining(" or "));
  }

  private static List<String> texts(YamlNode node) {
    return node instanceof Items items
        ? items.values().stream().map(RuleOutline::text).toList()
        : List.of(text(node));
  }

  private static List<YamlNode> items(@Nullable YamlNode node) {
    return node instanceof Items items ? items.values() : List.of();
  }

  private static List<Entry> entries(@Nullable YamlNode node) {
    return node instanceof Mapping mapping ? mapping.entries() : List.of();
  }

  private static @Nullable YamlNode get(@Nullable YamlNode node, String key) {
    return entries(node).stream()
        .filter(entry -> entry.key().text().equals(key))
        .map(Entry::value)
        .findFirst()
        .orElse(null);
  }
}
