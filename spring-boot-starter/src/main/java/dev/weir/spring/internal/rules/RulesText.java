package dev.weir.spring.internal.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Properties as the text of a rules file, one property per line, so that the line of a fault names
 * its property. In the flow style of YAML: there a list or mapping begins on the line of its own
 * name, not on that of its first entry. Not safe for many threads.
 *
 * <p>Not written by {@code RuleSet.toYaml} or an emitter of YAML: the former writes valid rules,
 * and properties may be faulty; the latter chooses the lines itself, and the line of each property
 * must be known.
 */
final class RulesText {
  /** Mappings whose values are never mappings themselves. */
  private static final Set<String> WITH_DOTS = Set.of("when", "limit", "overrides");

  private final StringBuilder text = new StringBuilder();
  private final List<PropertyNode> lines = new ArrayList<>();

  RulesText(PropertyNode rules) {
    line(0, "{", rules);
    write(1, "\"rules\":", "rules", rules);
    line(0, "}", rules);
  }

  String text() {
    return text.toString();
  }

  /** The property on a line, counted from 1. */
  PropertyNode property(int line) {
    return lines.get(Math.min(Math.max(line, 1), lines.size()) - 1);
  }

  private void write(int depth, String start, String key, PropertyNode node) {
    if (node.isLeaf()) {
      line(depth, start + scalar(key, String.valueOf(node.value())) + ",", node);
    } else if (node.isList()) {
      line(depth, start + "[", node);
      node.items().forEach(item -> write(depth + 1, "", key, item));
      line(depth, "],", node);
    } else {
      line(depth, start + "{", node);
      entries(key, node)
          .forEach((name, child) -> write(depth + 1, quoted(name) + ":", name, child));
      line(depth, "},", node);
    }
  }

  private static Map<String, PropertyNode> entries(String key, PropertyNode node) {
    return WITH_DOTS.contains(key) ? node.entriesWithDots() : node.entries();
  }

  /** Spring turns an empty list into an empty text; only a key may be an empty list. */
  private static String scalar(String key, String value) {
    if (value.isEmpty()) {
      return key.equals("key") ? "[]" : "";
    }
    return quoted(value);
  }

  private void line(int depth, String content, PropertyNode node) {
    text.append("  ".repeat(depth)).append(content).append('\n');
    lines.add(node);
  }

  private static String quoted(String value) {
    StringBuilder out = new StringBuilder(value.length() + 2).append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < ' ' || c > '~') {
        out.append(String.format("\\u%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    return out.append('"').toString();
  }
}
