package dev.weir.rules.internal.match;

import dev.weir.rules.Attributes;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One attribute that must be present and fit one of several patterns. Immutable.
 *
 * @param patterns at least one
 */
public record Condition(String attribute, List<TextPattern> patterns) {
  /** The attribute whose patterns know segments. */
  public static final String PATH = "path";

  public Condition {
    patterns = List.copyOf(patterns);
  }

  public static Condition of(String attribute, List<String> values) {
    boolean path = attribute.equals(PATH);
    return new Condition(attribute, values.stream().map(value -> pattern(path, value)).toList());
  }

  private static TextPattern pattern(boolean path, String value) {
    return path ? new PathPattern(value) : new Glob(value);
  }

  public boolean fits(Attributes attributes) {
    String value = attributes.get(attribute);
    return value != null && matching(value) != null;
  }

  /** The first pattern that fits. */
  public @Nullable TextPattern matching(String value) {
    for (TextPattern pattern : patterns) {
      if (pattern.matches(value)) {
        return pattern;
      }
    }
    return null;
  }

  boolean isExact() {
    return patterns.stream().allMatch(TextPattern::isExact);
  }

  /** The patterns as they were written. */
  public String text() {
    return patterns.stream().map(TextPattern::text).collect(Collectors.joining(" or "));
  }
}
