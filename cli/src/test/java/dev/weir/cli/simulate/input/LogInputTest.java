package dev.weir.cli.simulate.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How lines of a log become requests. */
final class LogInputTest {
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
    assertThat(LogTimestamps.ofMillis(number)).isEqualTo(micros);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "1e15", "1e999999999", "99999999999999999999"})
  void timesThatNoStoreCanHoldAreRefused(String number) {
    assertThatThrownBy(() -> LogTimestamps.ofMillis(number))
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
    assertThatThrownBy(() -> JsonLineParser.read(text, new HashMap<>()))
        .isInstanceOf(MalformedLineException.class);
  }

  @Test
  void jsonMayBeNestedButNotWithoutEnd() {
    String deep = "{\"at\":1,\"x\":" + "[".repeat(100_000) + "]".repeat(100_000) + "}";
    assertThatThrownBy(() -> JsonLineParser.read(deep, new HashMap<>()))
        .hasMessageStartingWith("no JSON: less nesting is expected");
  }

  @Test
  void attributesKeepWhatTheTextSays() {
    String text =
        "{\"at\":1,\"attributes\":{\"a\":\"\\u00fc\\n\\\"\",\"n\":1.50,\"t\":true,\"z\":null},"
            + "\"other\":{\"x\":[1,{}]}}";
    assertThat(JsonLineParser.read(text, new HashMap<>()).attributes())
        .isEqualTo(Map.of("a", "ü\n\"", "n", "1.50", "t", "true"));
  }

  @Test
  void otherFieldsBecomeAttributes() {
    LogLineParser reader =
        new LogLineParser(
            LogInputFormat.AUTO,
            AttributeMapping.of(
                List.of("user=$x_user", "tenant=path/2", "bot=agent", "none=nothing")));
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
    assertThatThrownBy(() -> AttributeMapping.of(List.of(text)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("--map must ")
        .hasMessageEndingWith("was " + text);
  }

  @Test
  void theSampleIsInOrderAndTheSameForASeed() {
    String sample = SampleLogGenerator.of(2000, 1);
    assertThat(sample)
        .isEqualTo(SampleLogGenerator.of(2000, 1))
        .isNotEqualTo(SampleLogGenerator.of(2000, 2));
    AccessLogParser reader = new AccessLogParser();
    List<Long> times =
        sample.lines().map(line -> reader.read(line, new HashMap<>()).atMicros()).toList();
    assertThat(times).hasSize(2000).isSorted();
  }
}
