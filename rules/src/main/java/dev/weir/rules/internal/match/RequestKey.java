package dev.weir.rules.internal.match;

import dev.weir.rules.Attributes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The key of a request: one attribute unchanged, or several joined so that a client cannot choose
 * values that yield the key of another request.
 *
 * <p>Values are joined with {@code ,}; a {@code ,} or {@code ~} inside a value gets a {@code ~} in
 * front: {@code a,b} and {@code c} become {@code a~,b,c}, never {@code a,b,c}. Both characters stay
 * readable in Redis.
 */
final class RequestKey {
  private static final char SEPARATOR = ',';
  private static final char ESCAPE = '~';

  private RequestKey() {}

  /** Null if the request lacks one of the attributes; without attributes, one key for all. */
  static @Nullable String of(List<String> names, Attributes attributes) {
    if (names.size() == 1) {
      return attributes.get(names.get(0));
    }
    StringBuilder key = new StringBuilder();
    for (int i = 0; i < names.size(); i++) {
      String value = attributes.get(names.get(i));
      if (value == null) {
        return null;
      }
      if (i > 0) {
        key.append(SEPARATOR);
      }
      appendEscaped(key, value);
    }
    return key.toString();
  }

  private static void appendEscaped(StringBuilder key, String value) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == SEPARATOR || c == ESCAPE) {
        key.append(ESCAPE);
      }
      key.append(c);
    }
  }
}
