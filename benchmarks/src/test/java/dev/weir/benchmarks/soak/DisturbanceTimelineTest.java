package dev.weir.benchmarks.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.benchmarks.soak.Disturbances.DisturbanceTimeline;
import dev.weir.benchmarks.soak.Disturbances.DisturbanceTimeline.Act;
import org.junit.jupiter.api.Test;

final class DisturbanceTimelineTest {
  private final DisturbanceTimeline timeline = new DisturbanceTimeline();

  @Test
  void aFaultLastsUntilItsEndAndTheGraceAfterIt() {
    timeline.begin(Act.SUSPENDED, 10_000);
    assertThat(timeline.wellBetween(8000, 9999)).isTrue();
    assertThat(timeline.wellBetween(8000, 10_000)).isFalse();
    assertThat(timeline.wellBetween(90_000, 90_001)).isFalse();

    timeline.end(12_000);
    assertThat(timeline.wellBetween(17_000, 17_001)).isFalse();
    assertThat(timeline.wellBetween(17_001, 17_002)).isTrue();
    assertThat(timeline.sinceEndMillis(11_000)).isZero();
    assertThat(timeline.sinceEndMillis(12_500)).isEqualTo(500);
  }

  @Test
  void aRestartWithinAWindowGivesRedisASecondLifeThere() {
    timeline.begin(Act.KILLED, 10_100);
    timeline.end(10_800);
    assertThat(timeline.livesBetween(8000, 10_000)).isEqualTo(1);
    assertThat(timeline.livesBetween(10_000, 12_000)).isEqualTo(2);
    assertThat(timeline.livesBetween(12_000, 14_000)).isEqualTo(1);
  }

  @Test
  void aRestartOverSeveralWindowsAndASuspensionGiveNone() {
    timeline.begin(Act.KILLED, 10_100);
    timeline.end(13_100);
    timeline.begin(Act.SUSPENDED, 20_100);
    timeline.end(20_800);
    assertThat(timeline.livesBetween(10_000, 12_000)).isEqualTo(1);
    assertThat(timeline.livesBetween(12_000, 14_000)).isEqualTo(1);
    assertThat(timeline.livesBetween(20_000, 22_000)).isEqualTo(1);
  }
}
