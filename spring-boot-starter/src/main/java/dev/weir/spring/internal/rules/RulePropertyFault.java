package dev.weir.spring.internal.rules;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.origin.Origin;

/**
 * One mistake in the rules of the application's properties.
 *
 * @param property as a user writes it: {@code weir.rules[0].limits[1].limit}
 * @param value null for a list or a mapping
 * @param origin where it is written, if that is known
 * @param text what was expected and what was found
 */
public record RulePropertyFault(
    String property, @Nullable String value, @Nullable Origin origin, String text) {
  @Override
  public String toString() {
    return property + (origin == null ? "" : " (" + origin + ")") + ": " + text;
  }
}
