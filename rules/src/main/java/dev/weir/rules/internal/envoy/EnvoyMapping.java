package dev.weir.rules.internal.envoy;

import dev.weir.rules.internal.read.MappingReader;
import dev.weir.rules.internal.yaml.FaultCollector;
import dev.weir.rules.internal.yaml.SourcePosition;
import dev.weir.rules.internal.yaml.YamlNode;
import dev.weir.rules.internal.yaml.YamlNode.Entry;
import dev.weir.rules.internal.yaml.YamlNode.Items;
import dev.weir.rules.internal.yaml.YamlNode.Mapping;
import dev.weir.rules.internal.yaml.YamlNode.Scalar;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A mapping as programs write it for the reference service: a key without a value, {@code null}, an
 * empty text and an empty list are the same as no key at all.
 */
final class EnvoyMapping {
  /** What YAML reads as nothing. */
  private static final Set<String> NULLS = Set.of("", "~", "null", "Null", "NULL");

  private final MappingReader section;
  private final FaultCollector faults;

  EnvoyMapping(String owner, Mapping mapping, List<String> known, FaultCollector faults) {
    this.faults = faults;
    List<Entry> entries =
        mapping.entries().stream()
            .filter(entry -> !(known.contains(entry.key().text()) && isNothing(entry.value())))
            .toList();
    this.section = new MappingReader(owner, new Mapping(mapping.at(), entries), known, faults);
  }

  static boolean isNothing(YamlNode node) {
    if (node instanceof Items items) {
      return items.values().isEmpty();
    }
    return node instanceof Scalar scalar
        && (scalar.quoted() ? scalar.text().isEmpty() : NULLS.contains(scalar.text()));
  }

  SourcePosition at() {
    return section.at();
  }

  @Nullable YamlNode get(String key) {
    return section.get(key);
  }

  MappingReader section() {
    return section;
  }

  /** Null if there is none, or if it is not text. */
  @Nullable Scalar text(String key) {
    return section.text(key);
  }

  @Nullable String string(String key) {
    Scalar text = section.text(key);
    return text == null ? null : text.text();
  }

  boolean flag(String key) {
    Scalar text = section.text(key);
    if (text == null) {
      return false;
    }
    String word = text.text().toLowerCase(Locale.ROOT);
    if (!word.equals("true") && !word.equals("false")) {
      faults.add(text.at(), key + " must be true or false, was " + text.kind());
    }
    return word.equals("true");
  }

  /** The items of a list; none if there is no such key. */
  List<YamlNode> items(String key) {
    YamlNode node = section.get(key);
    if (node == null) {
      return List.of();
    }
    if (node instanceof Items items) {
      return items.values();
    }
    faults.add(node.at(), key + " must be a list, was " + node.kind());
    return List.of();
  }
}
