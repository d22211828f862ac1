package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tables published with other limiters, or derived from the definitions of ours. */
final class VectorsTest {
  @Test
  void tokenBucketAnswersAsInTheTable() {
    check("token-bucket", Limit.tokenBucket(1, Duration.ofSeconds(1)).withBurst(5));
  }

  @Test
  void fixedWindowAnswersAsInTheTable() {
    check("fixed-window", Limit.fixedWindow(5, Duration.ofSeconds(10)));
  }

  @Test
  void slidingWindowAnswersAsInTheTable() {
    check("sliding-window", Limit.slidingWindow(5, Duration.ofSeconds(10)));
  }

  @Test
  void slidingLogAnswersAsInTheTable() {
    check("sliding-log", Limit.slidingLog(5, Duration.ofSeconds(10)));
  }

  private static void check(String table, Limit limit) {
    ManualTime time = new ManualTime();
    try (RateLimiter limiter = RateLimiter.builder().limit("l", limit).time(time).build()) {
      for (Map<String, String> row : rows("/vectors/" + table + ".csv")) {
        time.set(Instant.ofEpochMilli(Long.parseLong(row.get("at"))));
        Decision decision = limiter.decide("key", Long.parseLong(row.get("permits")));
        assertThat(seen(decision, row)).isEqualTo(row);
      }
    }
  }

  /** The decision in the columns the table has. */
  private static Map<String, String> seen(Decision decision, Map<String, String> row) {
    Map<String, String> seen = new HashMap<>(row);
    seen.replace("allowed", String.valueOf(decision.allowed()));
    seen.replace("remaining", String.valueOf(decision.remaining()));
    seen.replace("retry_after", millis(decision.retryAfter()));
    seen.replace("reset_after", millis(decision.resetAfter()));
    return seen;
  }

  private static String millis(Duration duration) {
    return duration.equals(Decision.NEVER) ? "never" : String.valueOf(duration.toMillis());
  }

  private static List<Map<String, String>> rows(String resource) {
    try (InputStream in = VectorsTest.class.getResourceAsStream(resource);
        var reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      List<String> lines = reader.lines().filter(line -> !line.startsWith("#")).toList();
      String[] columns = lines.get(0).split(",");
      List<Map<String, String>> rows = new ArrayList<>();
      for (String line : lines.subList(1, lines.size())) {
        Map<String, String> row = new HashMap<>();
        String[] cells = line.split(",");
        for (int i = 0; i < columns.length; i++) {
          row.put(columns[i], cells[i]);
        }
        rows.add(row);
      }
      return rows;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
