package dev.weir.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import dev.weir.cli.time.VirtualTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class ObservedLimiterTest {
  private final VirtualTime time = new VirtualTime();
  private final ObservedLimiter lane =
      new ObservedLimiter(Limit.fixedWindow(2, Duration.ofSeconds(1)), time);

  @Test
  void itIsNamedAfterItsAlgorithm() {
    assertThat(lane.name()).isEqualTo("fixed window");
  }

  @Test
  void itCountsWhatTheLimiterDecided() {
    offerAt(0, 0, 0);
    assertThat(lane.admitted()).isEqualTo(2);
    assertThat(lane.denied()).isEqualTo(1);
  }

  @Test
  void anIntervalHasItsStartAndNotItsEnd() {
    offerAt(100, 200);
    assertThat(lane.admittedBetween(100, 200)).isEqualTo(1);
    assertThat(lane.admittedBetween(101, 201)).isEqualTo(1);
  }

  @Test
  void theMostWithinALengthIsFoundAcrossTheEdge() {
    offerAt(999_998, 999_999, 1_000_000, 1_000_001);
    assertThat(lane.mostWithin(Duration.ofNanos(4000))).isEqualTo(4);
    assertThat(lane.mostWithin(Duration.ofNanos(3000))).isEqualTo(3);
  }

  @Test
  void peekingOffersNothing() {
    assertThat(lane.peek().allowed()).isTrue();
    assertThat(lane.admitted()).isZero();
  }

  private void offerAt(long... timesMicros) {
    for (long at : timesMicros) {
      time.moveTo(at);
      lane.offer();
    }
  }
}
