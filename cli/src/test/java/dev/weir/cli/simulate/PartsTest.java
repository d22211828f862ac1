package dev.weir.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Limit;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The small parts of a replay. */
final class PartsTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "1500.25, 1500250",
    "1500.2509, 1500250",
    "0.001, 1",
    "1e3, 1000000",
    "1.5E-3, 1",
    "1e-999999999, 0",
    "1772409600000.125, 1772409600000125",
  })
  void millisecondsAreExactToTheMicrosecond(String number, long micros) {
    assertThat(Times.ofMillis(number)).isEqualTo(micros);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "1e15", "1e999999999", "99999999999999999999"})
  void timesThatNoStoreCanHoldAreRefused(String number) {
    assertThatThrownBy(() -> Times.ofMillis(number))
        .hasMessage("at must be between 1970 and 2149, was " + number);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{",
        "{}",
        "{\"at\":1",
        "{\"at\":01}",
        "{\"at\":1,}",
        "{\"at\":1,\"at\":2}",
        "{\"at\":.5}",
        "{'at':1}",
        "{\"at\":1,\"x\":\"\\q\"}",
        "{\"at\":1,\"x\":[1,2}",
        "{\"at\":1,\"x\":\"",
        "{\"at\":null}",
        "{\"at\":1,\"permits\":-1}",
        "{\"at\":1,\"attributes\":[]}",
        "{\"at\":1,\"attributes\":{\"a\":\"1\",\"a\":\"2\"}}",
      })
  void whatIsNotARequestInJsonIsRefused(String text) {
    assertThatThrownBy(() -> JsonLine.read(text, new HashMap<>()))
        .isInstanceOf(MalformedLineException.class);
  }

  @Test
  void jsonMayBeNestedButNotWithoutEnd() {
    String deep = "{\"at\":1,\"x\":" + "[".repeat(100_000) + "]".repeat(100_000) + "}";
    assertThatThrownBy(() -> JsonLine.read(deep, new HashMap<>()))
        .hasMessageStartingWith("no JSON: less nesting is expected");
  }

  @Test
  void attributesKeepWhatTheTextSays() {
    String text =
        "{\"at\":1,\"attributes\":{\"a\":\"\\u00fc\\n\\\"\",\"n\":1.50,\"t\":true,\"z\":null},"
            + "\"other\":{\"x\":[1,{}]}}";
    assertThat(JsonLine.read(text, new HashMap<>()).attributes())
        .isEqualTo(Map.of("a", "ü\n\"", "n", "1.50", "t", "true"));
  }

  @Test
  void otherFieldsBecomeAttributes() {
    LineReader reader =
        new LineReader(
            LineFormat.AUTO,
            FieldMap.of(List.of("user=$x_user", "tenant=path/2", "bot=agent", "none=nothing")));
    assertThat(
            reader
                .read("{\"at\":1,\"x_user\":\"mia\",\"attributes\":{\"path\":\"/t/acme/x\"}}")
                .attributes())
        .isEqualTo(Map.of("user", "mia", "tenant", "acme", "path", "/t/acme/x"));
    assertThat(
            reader
                .read("h - - [10/Oct/2026:13:55:36 +0000] \"GET / HTTP/1.1\" 200 1 \"-\" \"curl\"")
                .attributes())
        .containsEntry("bot", "curl")
        .doesNotContainKeys("tenant", "user", "none");
  }

  @ParameterizedTest
  @ValueSource(strings = {"user", "=x", "user=", "tenant=path/0", "tenant=path/x"})
  void aMapThatSaysNothingIsRefused(String text) {
    assertThatThrownBy(() -> FieldMap.of(List.of(text)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("--map must ")
        .hasMessageEndingWith("was " + text);
  }

  @Test
  void theTimelineStaysSmallWhateverItsLength() {
    Timeline timeline = new Timeline();
    for (long day = 0; day < 5000; day++) {
      timeline.add(day * 86_400_000_000L, day % 2 == 0);
    }
    assertThat(timeline.columns()).hasSizeLessThanOrEqualTo(240);
    assertThat(timeline.columns().stream().mapToLong(column -> column.requests).sum())
        .isEqualTo(5000);
    assertThat(timeline.narrowed(10).span()).isLessThanOrEqualTo(10);
  }

  @Test
  void theKeysCountedMostAreKeptAmongMany() {
    TopKeys keys = new TopKeys();
    for (int i = 0; i < 300_000; i++) {
      keys.add(i, "l", i % 10 == 0 ? "often" : "k" + i);
    }
    assertThat(keys.top(1))
        .containsExactly(new TopKeys.Count(new TopKeys.Who("l", "often"), 30_000, 0, 299_990));
  }

  @Test
  void idleKeysAreFoldedIntoCounts() {
    Peaks peaks = new Peaks(Limit.fixedWindow(1, Duration.ofSeconds(1)));
    for (int i = 0; i < 250_000; i++) {
      peaks.add(i * 100_000L, "k" + i, 3, true);
    }
    assertThat(peaks.distribution()).isEqualTo(Map.of(3L, new Peaks.Share(250_000, 250_000)));
    assertThat(Peaks.roundedUp(999)).isEqualTo(999);
    assertThat(Peaks.roundedUp(12_345)).isEqualTo(12_400);
  }

  @Test
  void progressSaysHowFastAndHowLong() {
    assertThat(Progress.text(1_200_000, 3, OptionalLong.of(375)))
        .isEqualTo("1,200,000 lines, 400,000 lines/s, 37 %, 5 s left");
    assertThat(Progress.text(10, 1, OptionalLong.empty())).isEqualTo("10 lines, 10 lines/s");
  }

  @Test
  void theSampleIsInOrderAndTheSameForASeed() {
    String sample = SampleLog.of(2000, 1);
    assertThat(sample).isEqualTo(SampleLog.of(2000, 1)).isNotEqualTo(SampleLog.of(2000, 2));
    AccessLine reader = new AccessLine();
    List<Long> times =
        sample.lines().map(line -> reader.read(line, new HashMap<>()).atMicros()).toList();
    assertThat(times).hasSize(2000).isSorted();
  }
}
