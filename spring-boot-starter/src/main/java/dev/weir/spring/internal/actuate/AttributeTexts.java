package dev.weir.spring.internal.actuate;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;

/** Attributes as texts {@code name=value}. */
final class AttributeTexts {
  private AttributeTexts() {}

  /**
   * Reads them. Spring divides a single parameter at its commas, so a text without {@code =} is the
   * rest of the value before it.
   */
  static Map<String, String> parse(@Nullable List<String> texts) {
    Map<String, String> attributes = new LinkedHashMap<>();
    String last = null;
    for (String text : texts == null ? List.<String>of() : texts) {
      int equals = text.indexOf('=');
      if (equals > 0) {
        last = text.substring(0, equals);
        attributes.put(last, text.substring(equals + 1));
      } else if (last != null) {
        attributes.merge(last, text, (start, rest) -> start + "," + rest);
      } else {
        String reason = "attributes must be name=value, was " + text;
        throw new InvalidEndpointRequestException(reason, reason);
      }
    }
    return attributes;
  }
}
