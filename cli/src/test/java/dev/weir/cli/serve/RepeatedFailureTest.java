package dev.weir.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class RepeatedFailureTest {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();
  private static final long START = Long.MAX_VALUE - 3 * SECOND; // nanoTime may wrap around

  private final RepeatedFailure failure = new RepeatedFailure(Duration.ofSeconds(10));

  @Test
  void failuresThatGoOnForTheWholeTimeAreNoticed() {
    for (int second = 0; second < 10; second++) {
      assertThat(failure.goesOn(START + second * SECOND)).isFalse();
    }
    assertThat(failure.goesOn(START + 10 * SECOND)).isTrue();
  }

  @Test
  void aPauseOfTheWholeTimeStartsAgain() {
    assertThat(failure.goesOn(START)).isFalse();
    assertThat(failure.goesOn(START + 5 * SECOND)).isFalse();
    assertThat(failure.goesOn(START + 15 * SECOND)).isFalse();
    assertThat(failure.goesOn(START + 24 * SECOND)).isFalse();
    assertThat(failure.goesOn(START + 25 * SECOND)).isTrue();
  }
}
