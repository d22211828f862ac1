package dev.weir.rules;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one request, by name: {@code ip}, {@code user}, {@code path}, {@code method}.
 *
 * <p>Rules take values as they are. Whoever turns text from outside into attributes normalises
 * them; for HTTP, {@code dev.weir.http.RequestAttributes} does.
 *
 * <p>An integration may look values up only when a rule asks for them; asked twice, it must answer
 * the same.
 */
@FunctionalInterface
public interface Attributes {
  /** The value as it is, its case kept; null if the request has none. */
  @Nullable String get(String name);

  /**
   * Other paths that the application may take this request for, besides {@code get("path")}: a rule
   * applies if it matches any of them. None for nearly every request.
   */
  default List<String> otherPaths() {
    return List.of();
  }

  static Attributes of(Map<String, String> values) {
    return Map.copyOf(values)::get;
  }

  /**
   * Values with other paths that the application may take the request for.
   *
   * @see #otherPaths
   */
  static Attributes of(Map<String, String> values, List<String> otherPaths) {
    return otherPaths.isEmpty()
        ? of(values)
        : new AttributesWithPaths(Map.copyOf(values), List.copyOf(otherPaths));
  }
}
