package dev.weir.rules;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one request, by name: {@code ip}, {@code user}, {@code path}, {@code method}.
 *
 * <p>An integration may look values up only when a rule asks for them; asked twice, it must answer
 * the same.
 */
@FunctionalInterface
public interface Attributes {
  /** The value as it is, its case kept; null if the request has none. */
  @Nullable String get(String name);

  static Attributes of(Map<String, String> values) {
    return Map.copyOf(values)::get;
  }
}
