package dev.weir.cli.simulate.input;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The parts of a request line, {@code GET /cart?x=1 HTTP/1.1}, as attributes. */
final class RequestLine {
  private RequestLine() {}

  /** Adds method, path and, as a field, the query; nothing of what scanners send instead. */
  static void read(String line, Map<String, String> attributes, Map<String, String> fields) {
    int space = line.indexOf(' ');
    if (space <= 0) {
      return;
    }
    int last = line.lastIndexOf(' ');
    String target = last > space ? line.substring(space + 1, last) : line.substring(space + 1);
    attributes.put("method", line.substring(0, space));
    target(target, attributes, fields);
  }

  static void target(String target, Map<String, String> attributes, Map<String, String> fields) {
    int query = target.indexOf('?');
    if (query >= 0) {
      fields.put("query", target.substring(query + 1));
    }
    attributes.put("path", target);
  }

  /** The host of a target that is a whole address, {@code http://shop.example:80/cart}. */
  static @Nullable String host(@Nullable String target) {
    int start = target == null ? -1 : target.indexOf("://");
    if (start < 0 || start > target.indexOf('/')) {
      return null;
    }
    int end = target.indexOf('/', start + 3);
    String authority = target.substring(start + 3, end < 0 ? target.length() : end);
    return authority.isEmpty() ? null : authority.replaceFirst(":\\d+$", "");
  }
}
