package dev.weir.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Algorithm;
import dev.weir.Limit;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class LimitTextTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "100 per minute",
        "5 per 1h30m",
        "7 per day",
        "7 per day in Europe/Berlin",
        "7 per week in UTC",
        "5000 per month",
        "5000 per month in Europe/Berlin"
      })
  void aFixedWindowIsWrittenAsItIsRead(String text) {
    assertThat(LimitText.of(Limit.parse(text, Algorithm.FIXED_WINDOW))).isEqualTo(text);
  }

  @Test
  void aWindowFromFirstUseHasALength() {
    Limit limit = Limit.fixedWindow(3, Duration.ofHours(1)).fromFirstUse();
    assertThat(LimitText.of(limit)).isEqualTo("3 per hour");
  }

  @Test
  void theOtherAlgorithmsHaveAPeriod() {
    Duration period = Duration.ofSeconds(10);
    assertThat(LimitText.of(Limit.tokenBucket(5, period).withBurst(9))).isEqualTo("5 per 10s");
    assertThat(LimitText.of(Limit.slidingWindow(5, period))).isEqualTo("5 per 10s");
    assertThat(LimitText.of(Limit.slidingLog(5, period))).isEqualTo("5 per 10s");
  }

  @Test
  void requestsInFlightAreAtOnceAndNotPerHold() {
    Limit limit = Limit.inFlight(10, Duration.ofSeconds(30));
    assertThat(LimitText.of(limit)).isEqualTo("10 at once");
    assertThat(LimitText.of(12, limit)).isEqualTo("12 at once");
  }
}
