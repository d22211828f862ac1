package dev.weir.client;

import dev.weir.StoreUnavailableException;
import dev.weir.client.RemoteDecision.LimitState;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Makes a decision of an answer over HTTP. */
final class AnswerReader {
  private static final int BAD_REQUEST = 400;

  private AnswerReader() {}

  /**
   * @throws IllegalArgumentException if the service refuses the question, with what it expected
   * @throws StoreUnavailableException if the answer is no decision
   */
  static RemoteDecision read(HttpResponse<String> response) {
    Map<?, ?> body = body(response);
    if (body.get("allowed") instanceof Boolean allowed) {
      return new RemoteDecision(
          allowed,
          String.valueOf(body.get("source")),
          millis(body.get("retryAfterMillis")),
          limits(body.get("limits")),
          Optional.ofNullable((String) body.get("receipt")));
    }
    String detail = body.get("detail") instanceof String text ? ": " + text : "";
    if (response.statusCode() == BAD_REQUEST) {
      throw new IllegalArgumentException("the service refuses the request" + detail);
    }
    throw new StoreUnavailableException(
        "the service answers with status " + response.statusCode() + detail);
  }

  private static Map<?, ?> body(HttpResponse<String> response) {
    try {
      return JsonValues.read(response.body()) instanceof Map<?, ?> object ? object : Map.of();
    } catch (IOException notJson) {
      return Map.of();
    }
  }

  private static List<LimitState> limits(@Nullable Object value) {
    return value instanceof List<?> list
        ? list.stream().map(item -> limit((Map<?, ?>) item)).toList()
        : List.of();
  }

  private static LimitState limit(Map<?, ?> item) {
    return new LimitState(
        String.valueOf(item.get("rule")),
        String.valueOf(item.get("name")),
        Boolean.TRUE.equals(item.get("allowed")),
        item.get("remaining") instanceof Long left ? OptionalLong.of(left) : OptionalLong.empty());
  }

  private static Optional<Duration> millis(@Nullable Object value) {
    return value instanceof Long number ? Optional.of(Duration.ofMillis(number)) : Optional.empty();
  }
}
