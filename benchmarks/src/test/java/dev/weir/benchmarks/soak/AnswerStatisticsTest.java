package dev.weir.benchmarks.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.benchmarks.soak.CheckAnswer.RequestKind;
import dev.weir.benchmarks.soak.Disturbances.DisturbanceTimeline;
import dev.weir.benchmarks.soak.Disturbances.DisturbanceTimeline.Act;
import org.junit.jupiter.api.Test;

final class AnswerStatisticsTest {
  private final DisturbanceTimeline timeline = new DisturbanceTimeline();
  private final AnswerStatistics statistics = new AnswerStatistics(timeline);

  @Test
  void admissionsAreCountedInTheirWindow() {
    add(RequestKind.ALLOW, 2000, 2001, 200, CheckAnswer.STORE);
    add(RequestKind.ALLOW, 3998, 3999, 200, CheckAnswer.STORE);
    add(RequestKind.ALLOW, 3000, 3001, 429, CheckAnswer.STORE);
    add(RequestKind.SHADOW, 3000, 3001, 200, CheckAnswer.STORE);
    assertThat(statistics.windowsOf(RequestKind.ALLOW).get(1L).byStore()).isEqualTo(2);
    assertThat(statistics.windowsOf(RequestKind.SHADOW)).isEmpty();
    assertThat(statistics.answers()).isEqualTo(4);
    assertThat(statistics.faults()).isEmpty();
  }

  @Test
  void anAnswerUnderWayAtAnEdgeIsSurelyInNoWindowAndPerhapsInBoth() {
    add(RequestKind.DENY, 3999, 4000, 200, CheckAnswer.STORE);
    for (long window = 1; window <= 2; window++) {
      assertThat(statistics.windowsOf(RequestKind.DENY).get(window).byStore()).isZero();
      assertThat(statistics.windowsOf(RequestKind.DENY).get(window).byStoreAtMost()).isEqualTo(1);
    }
  }

  @Test
  void whatSharesAdmitIsCountedApart() {
    timeline.begin(Act.SUSPENDED, 1000);
    timeline.end(2000);
    add(RequestKind.LOCAL, 2300, 2301, 200, CheckAnswer.FALLBACK);
    assertThat(statistics.windowsOf(RequestKind.LOCAL).get(1L).byShare()).isEqualTo(1);
    assertThat(statistics.windowsOf(RequestKind.LOCAL).get(1L).byStore()).isZero();
    assertThat(statistics.fallbacks()).isEqualTo(1);
    assertThat(statistics.recoveryMillis()).isEqualTo(300);
    assertThat(statistics.disturbedMicros().getTotalCount()).isEqualTo(1);
  }

  @Test
  void whatACollectionHeldUpIsCountedAndNotTimed() {
    timeline.begin(Act.MEASURED, 2000);
    timeline.end(2100);
    add(RequestKind.ALLOW, 2100, 2300, 200, CheckAnswer.STORE);
    assertThat(statistics.answers()).isEqualTo(1);
    assertThat(statistics.disturbedMicros().getTotalCount()).isZero();
    assertThat(statistics.windowsOf(RequestKind.ALLOW).get(1L).byStore()).isEqualTo(1);
  }

  @Test
  void faultsAreReportedOnceWithTheirNumber() {
    add(RequestKind.FRESH, 1000, 1001, 500, "nobody");
    add(RequestKind.FRESH, 1000, 1001, 500, "nobody");
    assertThat(statistics.faults()).containsExactly("FRESH was answered 500, 2 times");
  }

  private void add(RequestKind kind, long sentMillis, long doneMillis, int status, String source) {
    statistics.add(new CheckAnswer(kind, sentMillis, doneMillis, 700, status, source));
  }
}
