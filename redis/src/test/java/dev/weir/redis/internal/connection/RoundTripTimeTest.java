package dev.weir.redis.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class RoundTripTimeTest {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final RoundTripTime time = new RoundTripTime(0);

  @Test
  void theShortestCounts() {
    assertThat(time.nanos()).isZero();
    time.record(700, 1);
    time.record(300, 2);
    time.record(900, 3);
    assertThat(time.nanos()).isEqualTo(300);
  }

  @Test
  void aLongerWayIsNoticedWithinAMinute() {
    time.record(300, 0);
    for (int second = 1; second <= 59; second++) {
      time.record(900, second * SECOND);
      assertThat(time.nanos()).isEqualTo(300);
    }
    time.record(900, 60 * SECOND);
    assertThat(time.nanos()).isEqualTo(900);
  }
}
