package dev.weir.rules.internal.read;

import dev.weir.rules.internal.match.Condition;
import dev.weir.rules.internal.yaml.FaultCollector;
import dev.weir.rules.internal.yaml.YamlNode;
import dev.weir.rules.internal.yaml.YamlNode.Mapping;
import dev.weir.rules.internal.yaml.YamlNode.Scalar;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads {@code when}: which requests a rule is for. */
final class WhenReader {
  private final FaultCollector faults;

  WhenReader(FaultCollector faults) {
    this.faults = faults;
  }

  List<Condition> read(@Nullable YamlNode when) {
    if (when == null) {
      return List.of();
    }
    if (!(when instanceof Mapping mapping)) {
      faults.add(when.at(), "when must be a mapping from attributes to values, was " + when.kind());
      return List.of();
    }
    if (mapping.entries().isEmpty()) {
      faults.add(
          when.at(), "when must name an attribute, was empty; leave it out to match every request");
    }
    mapping
        .entries()
        .forEach(entry -> AttributeHints.check(entry.key().text(), entry.key().at(), faults));
    List<Condition> conditions = new ArrayList<>();
    for (Map.Entry<String, YamlNode> entry :
        MappingReader.distinct("when", mapping, faults).entrySet()) {
      List<String> values = values(entry.getKey(), entry.getValue());
      if (!values.isEmpty()) {
        conditions.add(Condition.of(entry.getKey(), values));
      }
    }
    return conditions;
  }

  private List<String> values(String attribute, YamlNode node) {
    List<Scalar> texts = MappingReader.texts(attribute, node, faults);
    if (texts == null) {
      return List.of();
    }
    if (texts.isEmpty()) {
      faults.add(node.at(), attribute + " must list at least one value, was empty");
    }
    for (Scalar text : texts) {
      check(attribute, text);
    }
    return texts.stream().map(Scalar::text).toList();
  }

  /**
   * Refuses patterns that can never match, because a limit that never applies would go unnoticed.
   */
  private void check(String attribute, Scalar text) {
    if (attribute.equals(Condition.PATH)) {
      PathPatternChecks.check(text, faults);
    } else if (attribute.equals("method")) {
      checkMethod(text);
    }
  }

  private void checkMethod(Scalar text) {
    String capitals = text.text().toUpperCase(Locale.ROOT);
    if (!text.text().equals(capitals)) {
      faults.add(
          text.at(),
          "method must be in capitals, as requests have it, was "
              + text.kind()
              + "; did you mean \""
              + capitals
              + "\"?");
    }
  }
}
