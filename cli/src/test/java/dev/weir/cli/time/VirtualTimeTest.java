package dev.weir.cli.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class VirtualTimeTest {
  private final VirtualTime time = new VirtualTime();

  @Test
  void itStartsAt1970AndStandsStill() {
    assertThat(time.nowMicros()).isZero();
    assertThat(time.nowMicros()).isZero();
  }

  @Test
  void itMovesToATime() {
    time.moveTo(1_500_000);
    assertThat(time.nowMicros()).isEqualTo(1_500_000);
  }

  @Test
  void itNeverGoesBack() {
    time.moveTo(10);
    time.moveTo(9);
    assertThat(time.nowMicros()).isEqualTo(10);
  }

  @Test
  void waitingIsOverAtOnceAndMovesIt() {
    time.moveTo(5);
    assertThat(time.after(Duration.ofSeconds(2)).toCompletableFuture()).isCompleted();
    assertThat(time.nowMicros()).isEqualTo(2_000_005);
  }

  @Test
  void aWaitOfLessThanAMicrosecondIsRoundedUp() {
    time.after(Duration.ofNanos(1));
    assertThat(time.nowMicros()).isEqualTo(1);
  }
}
