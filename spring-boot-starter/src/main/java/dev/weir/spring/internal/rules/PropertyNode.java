package dev.weir.spring.internal.rules;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.origin.Origin;

/**
 * One level of the properties under a name: a value, a list or a mapping, as it was before Spring
 * flattened it. Not safe for many threads.
 */
final class PropertyNode {
  private final String property;
  private final Map<String, PropertyNode> children = new LinkedHashMap<>();
  private boolean list;
  private @Nullable String value;
  private @Nullable Origin origin;

  PropertyNode(String property) {
    this.property = property;
  }

  /** Adds the value of a property at its place below this node. */
  void add(ConfigurationProperty source, String resolved, int depth) {
    ConfigurationPropertyName name = source.getName();
    if (origin == null) {
      origin = source.getOrigin();
    }
    if (depth == name.getNumberOfElements()) {
      value = resolved;
      return;
    }
    list = name.isNumericIndex(depth);
    String element = name.getElement(depth, Form.ORIGINAL);
    String path =
        property
            + (name.chop(depth + 1).isLastElementIndexed() ? "[" + element + "]" : "." + element);
    children
        .computeIfAbsent(element, key -> new PropertyNode(path))
        .add(source, resolved, depth + 1);
  }

  /** As a user writes it: {@code weir.rules[0].limits[1].limit}. */
  String property() {
    return property;
  }

  @Nullable String value() {
    return value;
  }

  /** Where it is written, or the first property below it. */
  @Nullable Origin origin() {
    return origin;
  }

  boolean isList() {
    return list;
  }

  boolean isLeaf() {
    return children.isEmpty();
  }

  /** In the order of their indexes. */
  List<PropertyNode> items() {
    return children.entrySet().stream()
        .sorted(Comparator.comparingInt(item -> Integer.parseInt(item.getKey())))
        .map(Map.Entry::getValue)
        .toList();
  }

  Map<String, PropertyNode> entries() {
    return children;
  }

  /**
   * The entries of a mapping whose values are never mappings, so that a dot belongs to a key: an
   * address among the overrides, a header field among the conditions.
   */
  Map<String, PropertyNode> entriesWithDots() {
    Map<String, PropertyNode> flat = new LinkedHashMap<>();
    children.forEach((key, child) -> child.flatten(key, flat));
    return flat;
  }

  private void flatten(String key, Map<String, PropertyNode> flat) {
    if (list || children.isEmpty()) {
      flat.put(key, this);
    } else {
      children.forEach((more, child) -> child.flatten(key + "." + more, flat));
    }
  }
}
