package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A limit as people write it. */
final class LimitTextTest {
  @ParameterizedTest
  @CsvSource({
    "100 per minute, 100, PT1M",
    "3 per second, 3, PT1S",
    "5 per 1h30m, 5, PT1H30M",
    "1 per 250ms, 1, PT0.25S",
    "7 per week, 7, PT168H"
  })
  void aRateIsATokenBucket(String rate, long permits, Duration period) {
    assertThat(Limit.parse(rate)).isEqualTo(Limit.tokenBucket(permits, period));
    assertThat(Limit.parse(rate, Algorithm.SLIDING_LOG))
        .isEqualTo(Limit.slidingLog(permits, period));
  }

  @Test
  void aCalendarWindowIsAFixedOne() {
    assertThat(Limit.parse("5000 per month in Europe/Berlin", Algorithm.FIXED_WINDOW))
        .isEqualTo(Limit.fixedWindow(5000, CalendarUnit.MONTH, ZoneId.of("Europe/Berlin")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "100/min | limit must be \"<permits> per <duration>\", was \"100/min\"; did you mean \"100 per 1m\"?",
        "unlimited | limit must be \"<permits> per <duration>\", was \"unlimited\"",
        "0 per minute | limit must have from 1 to 9007199254740991 permits, was \"0 per minute\"",
        "5 per month | limit \"5 per month\" needs algorithm: fixed-window, was token-bucket;"
            + " months and time zones are calendar windows"
      })
  void whatIsNoRateIsRefusedWithWhatWasExpected(String text, String message) {
    assertThatThrownBy(() -> Limit.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }
}
