package dev.weir.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PrintableTextTest {
  @Test
  void whatCannotBeSeenIsEscaped() {
    assertThat(PrintableText.of("a\u001b[31m\r\n\u0085\u2028\u202e\ud800\u00fc\ud83d\ude00"))
        .isEqualTo("a\\u001b[31m\\u000d\\u000a\\u0085\\u2028\\u202e\\ud800\u00fc\ud83d\ude00");
  }

  @Test
  void longTextIsCutBetweenCharacters() {
    assertThat(PrintableText.shortened("\ud83d\ude00\ud83d\ude00\ud83d\ude00", 2))
        .isEqualTo("\ud83d\ude00\ud83d\ude00...");
    assertThat(PrintableText.quoted("x".repeat(100))).isEqualTo('"' + "x".repeat(100) + '"');
    assertThat(PrintableText.quoted("x".repeat(101))).isEqualTo('"' + "x".repeat(100) + "...\"");
  }

  @ParameterizedTest
  @CsvSource({
    "PT0S, 0s",
    "PT12000H, 500d",
    "PT9601H, 400d1h",
    "PT1H30M, 1h30m",
    "PT0.25S, 250ms",
    "PT0.000001001S, 1us1ns",
    "PT-1S, -1s",
    "PT-0.5S, -500ms",
  })
  void durationsReadAsInARuleFile(Duration duration, String text) {
    assertThat(HumanDuration.of(duration)).isEqualTo(text);
  }
}
