package dev.weir.benchmarks.inprocess;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.benchmarks.inprocess.ForkedRun.InProcessSample;
import dev.weir.benchmarks.inprocess.ForkedRun.InProcessTiming;
import dev.weir.benchmarks.inprocess.InProcessBenchmarks.InProcessMeasurements;
import dev.weir.benchmarks.inprocess.LimiterLibrary.InProcessContender;
import dev.weir.benchmarks.inprocess.TryAcquire.InProcessWorkload;
import org.junit.jupiter.api.Test;

final class InProcessReportTest {
  private final InProcessMeasurements measured = new InProcessMeasurements();

  InProcessReportTest() {
    for (InProcessContender contender : InProcessContender.values()) {
      measured.setBytesPerKey(contender, contender == InProcessContender.BUCKET4J ? 356 : 88);
      for (InProcessWorkload workload : InProcessWorkload.values()) {
        measured.add(workload, contender, new InProcessSample(40, 0, 0));
      }
    }
  }

  @Test
  void everyPlotIsShown() {
    String report = new InProcessReport(measured).render(InProcessTiming.SHORT);
    assertThat(new InProcessPlots(measured).all().keySet())
        .isNotEmpty()
        .allSatisfy(file -> assertThat(report).contains("](images/" + file + ")"));
  }

  @Test
  void everyContenderHasABar() {
    assertThat(new InProcessPlots(measured).all().get("process-memory.svg"))
        .contains("Weir, sliding log", "Failsafe, smooth", ">356<");
  }
}
