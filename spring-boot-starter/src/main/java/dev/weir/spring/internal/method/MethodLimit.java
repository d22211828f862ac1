package dev.weir.spring.internal.method;

import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.Expression;

/**
 * One {@code @RateLimited} of a method, checked and parsed.
 *
 * @param key null if all calls count as one
 * @param fallback null if a denial is thrown
 * @param place the annotation and its method, for messages
 */
record MethodLimit(
    String rule,
    @Nullable Expression key,
    Expression permits,
    @Nullable Method fallback,
    String place) {
  /** The name of the attribute that holds the annotation's key, unless the key is a map. */
  static final String KEY = "key";

  /** The attributes of a call. */
  Map<String, String> attributes(EvaluationContext call) {
    if (key == null) {
      return Map.of();
    }
    Object value = key.getValue(call);
    if (value instanceof Map<?, ?> several) {
      return texts(several);
    }
    if (value == null) {
      throw new IllegalArgumentException(
          "the key of " + place + " must not be null, was for " + key.getExpressionString());
    }
    return Map.of(KEY, value.toString());
  }

  private static Map<String, String> texts(Map<?, ?> values) {
    Map<String, String> texts = new HashMap<>();
    values.forEach(
        (name, value) -> {
          if (value != null) {
            texts.put(String.valueOf(name), value.toString());
          }
        });
    return texts;
  }

  /** What a call costs. */
  long permits(EvaluationContext call) {
    Object value = permits.getValue(call);
    boolean whole = value instanceof Long || value instanceof Integer || value instanceof Short;
    if (whole && ((Number) value).longValue() >= 0) {
      return ((Number) value).longValue();
    }
    throw new IllegalArgumentException(
        "the permits of "
            + place
            + " must be a whole number, 0 or more, was "
            + value
            + " for "
            + permits.getExpressionString());
  }
}
