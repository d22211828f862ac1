package dev.weir.benchmarks.inprocess;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.benchmarks.inprocess.ForkedRun.InProcessSample;
import dev.weir.benchmarks.inprocess.InProcessBenchmarks.InProcessMeasurements;
import dev.weir.benchmarks.inprocess.LimiterLibrary.InProcessContender;
import dev.weir.benchmarks.inprocess.TryAcquire.InProcessWorkload;
import dev.weir.benchmarks.report.MedianAndRange;
import org.junit.jupiter.api.Test;

final class InProcessMeasurementsTest {
  private final InProcessMeasurements measured = new InProcessMeasurements();

  @Test
  void aRatioIsTakenWithinEachRound() {
    round(40, 20);
    round(400, 100); // a slow minute for both
    round(60, 20);
    assertThat(
            measured.ratio(
                InProcessWorkload.HOT_KEY, InProcessContender.BUCKET4J, InProcessContender.FLOOR))
        .isEqualTo(new MedianAndRange(3, 2, 4));
  }

  private void round(double bucket4j, double floor) {
    measured.add(
        InProcessWorkload.HOT_KEY,
        InProcessContender.BUCKET4J,
        new InProcessSample(bucket4j, 0, 0));
    measured.add(
        InProcessWorkload.HOT_KEY, InProcessContender.FLOOR, new InProcessSample(floor, 0, 0));
  }
}
