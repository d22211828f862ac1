package dev.weir.rules.internal.envoy;

import dev.weir.rules.internal.read.MappingReader;
import dev.weir.rules.internal.yaml.FaultCollector;
import dev.weir.rules.internal.yaml.YamlNode;
import dev.weir.rules.internal.yaml.YamlNode.Items;
import dev.weir.rules.internal.yaml.YamlNode.Mapping;
import dev.weir.rules.internal.yaml.YamlNode.Scalar;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads {@code metadata}, which may hold anything: texts, numbers, booleans, lists, mappings. */
final class MetadataReader {
  private static final Pattern NUMBER =
      Pattern.compile("-?(?:0|[1-9][0-9]{0,18})(?:\\.[0-9]{1,18})?(?:[eE][+-]?[0-9]{1,2})?");

  private final FaultCollector faults;

  MetadataReader(FaultCollector faults) {
    this.faults = faults;
  }

  Map<String, Object> read(@Nullable YamlNode node) {
    if (node == null) {
      return Map.of();
    }
    if (node instanceof Mapping mapping) {
      return mapping(mapping);
    }
    faults.add(node.at(), "metadata must be a mapping, was " + node.kind());
    return Map.of();
  }

  private Map<String, Object> mapping(Mapping mapping) {
    Map<String, Object> values = new LinkedHashMap<>();
    MappingReader.distinct("metadata", mapping, faults)
        .forEach((key, value) -> values.put(key, value(value)));
    return values;
  }

  /** A null is read as an empty string, so that maps and lists hold no nulls. */
  private Object value(YamlNode node) {
    if (node instanceof Mapping mapping) {
      return mapping(mapping);
    }
    if (node instanceof Items items) {
      List<Object> values = new ArrayList<>();
      items.values().forEach(item -> values.add(value(item)));
      return values;
    }
    return scalar((Scalar) node);
  }

  private static Object scalar(Scalar scalar) {
    String text = scalar.text();
    if (scalar.quoted()) {
      return text;
    }
    if (text.equals("true") || text.equals("false")) {
      return text.equals("true");
    }
    if (NUMBER.matcher(text).matches()) {
      return Double.parseDouble(text);
    }
    return EnvoyMapping.isNothing(scalar) ? "" : text;
  }
}
