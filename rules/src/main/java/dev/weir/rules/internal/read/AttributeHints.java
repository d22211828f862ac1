package dev.weir.rules.internal.read;

import dev.weir.internal.text.MessageText;
import dev.weir.rules.internal.yaml.FaultCollector;
import dev.weir.rules.internal.yaml.SourcePosition;
import java.util.List;

/**
 * Hints at attributes that are nearly one of those that every integration provides. A rule for
 * {@code Path} is valid, because callers may name attributes as they like, and applies to nothing.
 */
final class AttributeHints {
  private static final List<String> KNOWN = List.of("ip", "path", "method", "user", "host");

  private AttributeHints() {}

  static void check(String attribute, SourcePosition at, FaultCollector faults) {
    String meant = MessageText.nearMiss(attribute, KNOWN);
    if (meant != null) {
      faults.hint(
          at,
          "attribute \""
              + MessageText.shown(attribute)
              + "\" is another than \""
              + meant
              + "\"; did you mean \""
              + meant
              + "\"?");
    }
  }
}
