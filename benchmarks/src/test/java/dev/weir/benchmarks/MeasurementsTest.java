package dev.weir.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class MeasurementsTest {
  private final Measurements measured = new Measurements();

  @Test
  void aRatioIsTakenWithinEachRound() {
    round(40, 20);
    round(400, 100); // a slow minute for both
    round(60, 20);
    assertThat(measured.ratio(Workload.HOT_KEY, Contender.BUCKET4J, Contender.FLOOR))
        .isEqualTo(new Spread(3, 2, 4));
  }

  private void round(double bucket4j, double floor) {
    measured.add(Workload.HOT_KEY, Contender.BUCKET4J, new Sample(bucket4j, 0, 0));
    measured.add(Workload.HOT_KEY, Contender.FLOOR, new Sample(floor, 0, 0));
  }
}
