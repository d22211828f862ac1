package dev.weir.rules;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of one request, by name: {@code ip}, {@code user}, {@code path}, {@code method}.
 *
 * <p>Rules compare values as they are. Code that turns text from outside into attributes must
 * normalise it; for HTTP, {@code dev.weir.http.RequestAttributes} does.
 *
 * <p>An implementation may look values up lazily; it must always return the same value for a name.
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
