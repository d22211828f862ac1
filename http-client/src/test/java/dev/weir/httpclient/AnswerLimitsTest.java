package dev.weir.httpclient;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.httpclient.AnswerLimits.Item;
import dev.weir.testkit.Fuzzing;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is read from the fields of an answer. */
final class AnswerLimitsTest {
  private static final Instant NOW = Instant.parse("2026-11-16T12:00:00Z");

  @Test
  void bothDialectsAreRead() {
    assertThat(items("\"default\";r=50;t=30")).containsExactly(item("default", 50, 30));
    assertThat(items("\"default\";a=50;w=30")).containsExactly(item("default", 50, 30));
    assertThat(items("\"api\";a=99;w=60;c=1;pk=:R0VUH2FsaWNl:"))
        .containsExactly(item("api", 99, 60));
    assertThat(items("\"minute\";r=0;t=12, hour;r=57;t=1807"))
        .containsExactly(item("minute", 0, 12), item("hour", 57, 1807));
  }

  @Test
  void namesMayHoldWhatSeparatesItems() {
    assertThat(items("\"a,b;r=1 \\\"x\\\"\";r=2;t=3")).containsExactly(item("a,b;r=1 \"x\"", 2, 3));
  }

  @Test
  void anUnknownParameterIsIgnored() {
    assertThat(items("\"a\";qu=\"r=9;t=9\";r=1; t=2;x;y=?1;z=1.5"))
        .containsExactly(item("a", 1, 2));
  }

  @Test
  void aMalformedItemIsLeftOutAlone() {
    assertThat(items("\"a\";r=1;t=2, 3;r=4, \"b\";r=x;t=1, \"c\";t=5, \"d\";r=7, , \"e"))
        .containsExactly(item("a", 1, 2), new Item("d", 7, Optional.empty()));
    assertThat(items("\"a\";r=-1;t=2, \"b\";r=1234567890123456")).isEmpty();
    assertThat(items("")).isEmpty();
  }

  @Test
  void severalFieldsAreOneList() {
    AnswerLimits limits = read(Map.of("RateLimit", List.of("\"a\";r=1;t=2", "\"b\";r=3;t=4")));
    assertThat(limits.items()).containsExactly(item("a", 1, 2), item("b", 3, 4));
  }

  @Test
  void retryAfterIsSecondsOrADate() {
    assertThat(retryAfter("120")).contains(Duration.ofMinutes(2));
    assertThat(retryAfter("Mon, 16 Nov 2026 12:00:30 GMT")).contains(Duration.ofSeconds(30));
    assertThat(retryAfter("Mon, 16 Nov 2026 11:00:00 GMT")).contains(Duration.ZERO);
    assertThat(retryAfter("soon")).isEmpty();
    assertThat(retryAfter("-1")).isEmpty();
    assertThat(retryAfter("99999999999999999999")).isEmpty();
  }

  @Test
  void aDateIsReadByTheClockOfTheServer() {
    AnswerLimits limits =
        read(
            Map.of(
                "Date", List.of("Mon, 16 Nov 2026 09:00:00 GMT"),
                "Retry-After", List.of("Mon, 16 Nov 2026 09:00:10 GMT")));
    assertThat(limits.retryAfter()).contains(Duration.ofSeconds(10));
  }

  @Test
  void theTightestLimitSetsThePace() {
    AnswerLimits limits = read(Map.of("RateLimit", List.of("\"a\";r=10;t=10, \"b\";r=2;t=60")));
    assertThat(limits.spacing()).isEqualTo(Duration.ofSeconds(30));
    assertThat(limits.pause()).isZero();
    AnswerLimits used =
        read(Map.of("RateLimit", List.of("\"a\";r=0;t=10"), "Retry-After", List.of("4")));
    assertThat(used.pause()).isEqualTo(Duration.ofSeconds(10));
  }

  @Test
  void nothingInAnAnswerMakesReadingItFail() {
    long tried =
        Fuzzing.run(
            "RateLimit fields",
            List.of(
                "\"default\";r=50;t=30",
                "\"api\";a=99;w=60;pk=:R0VUH2FsaWNl:",
                "\"minute\";r=0;t=12, hour;r=57;t=1807",
                "\"a\\\"b\\\\\";r=1",
                "Mon, 16 Nov 2026 12:00:30 GMT"),
            text -> {
              assertThat(RateLimitParser.items(text)).allMatch(item -> item.remaining() >= 0);
              if (text.chars().allMatch(c -> c >= ' ' && c < 127)) {
                assertThat(read(Map.of("Retry-After", List.of(text))).pause().isNegative())
                    .isFalse();
              }
            });
    assertThat(tried).isGreaterThan(100);
  }

  private static List<Item> items(String field) {
    return read(Map.of("RateLimit", List.of(field))).items();
  }

  private static Optional<Duration> retryAfter(String value) {
    return read(Map.of("Retry-After", List.of(value))).retryAfter();
  }

  private static AnswerLimits read(Map<String, List<String>> fields) {
    return AnswerLimits.read(HttpHeaders.of(fields, (name, value) -> true), NOW);
  }

  private static Item item(String name, long remaining, long seconds) {
    return new Item(name, remaining, Optional.of(Duration.ofSeconds(seconds)));
  }
}
