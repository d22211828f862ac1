package dev.weir.benchmarks.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.benchmarks.soak.Timeline.Act;
import org.junit.jupiter.api.Test;

final class SoakTallyTest {
  private final Timeline timeline = new Timeline();
  private final SoakTally tally = new SoakTally(timeline);

  @Test
  void admissionsAreCountedInTheirWindow() {
    add(Kind.ALLOW, 2000, 2001, 200, Answer.STORE);
    add(Kind.ALLOW, 3998, 3999, 200, Answer.STORE);
    add(Kind.ALLOW, 3000, 3001, 429, Answer.STORE);
    add(Kind.SHADOW, 3000, 3001, 200, Answer.STORE);
    assertThat(tally.windowsOf(Kind.ALLOW).get(1L).byStore()).isEqualTo(2);
    assertThat(tally.windowsOf(Kind.SHADOW)).isEmpty();
    assertThat(tally.answers()).isEqualTo(4);
    assertThat(tally.faults()).isEmpty();
  }

  @Test
  void anAnswerUnderWayAtAnEdgeIsSurelyInNoWindowAndPerhapsInBoth() {
    add(Kind.DENY, 3999, 4000, 200, Answer.STORE);
    for (long window = 1; window <= 2; window++) {
      assertThat(tally.windowsOf(Kind.DENY).get(window).byStore()).isZero();
      assertThat(tally.windowsOf(Kind.DENY).get(window).byStoreAtMost()).isEqualTo(1);
    }
  }

  @Test
  void whatSharesAdmitIsCountedApart() {
    timeline.begin(Act.SUSPENDED, 1000);
    timeline.end(2000);
    add(Kind.LOCAL, 2300, 2301, 200, Answer.FALLBACK);
    assertThat(tally.windowsOf(Kind.LOCAL).get(1L).byShare()).isEqualTo(1);
    assertThat(tally.windowsOf(Kind.LOCAL).get(1L).byStore()).isZero();
    assertThat(tally.fallbacks()).isEqualTo(1);
    assertThat(tally.recoveryMillis()).isEqualTo(300);
    assertThat(tally.disturbedMicros().getTotalCount()).isEqualTo(1);
  }

  @Test
  void whatACollectionHeldUpIsCountedAndNotTimed() {
    timeline.begin(Act.MEASURED, 2000);
    timeline.end(2100);
    add(Kind.ALLOW, 2100, 2300, 200, Answer.STORE);
    assertThat(tally.answers()).isEqualTo(1);
    assertThat(tally.disturbedMicros().getTotalCount()).isZero();
    assertThat(tally.windowsOf(Kind.ALLOW).get(1L).byStore()).isEqualTo(1);
  }

  @Test
  void faultsAreToldOnceWithTheirNumber() {
    add(Kind.FRESH, 1000, 1001, 500, "nobody");
    add(Kind.FRESH, 1000, 1001, 500, "nobody");
    assertThat(tally.faults()).containsExactly("FRESH was answered 500, 2 times");
  }

  private void add(Kind kind, long sentMillis, long doneMillis, int status, String source) {
    tally.add(new Answer(kind, sentMillis, doneMillis, 700, status, source));
  }
}
