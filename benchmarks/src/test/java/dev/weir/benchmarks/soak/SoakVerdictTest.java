package dev.weir.benchmarks.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.benchmarks.soak.AnswerStatistics.WindowRange;
import dev.weir.benchmarks.soak.CheckAnswer.RequestKind;
import dev.weir.benchmarks.soak.Disturbances.DisturbanceLog;
import dev.weir.benchmarks.soak.Disturbances.DisturbanceTimeline;
import dev.weir.benchmarks.soak.Disturbances.DisturbanceTimeline.Act;
import dev.weir.benchmarks.soak.ServiceInstance.Vitals;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SoakVerdictTest {
  private static final Vitals EARLY = new Vitals(60_000, 20 << 20, 30, 50, 3, 2, 1);
  private static final Vitals LAST = new Vitals(300_000, 21 << 20, 31, 51, 0, 4, 2);

  private final DisturbanceTimeline timeline = new DisturbanceTimeline();
  private final AnswerStatistics statistics = new AnswerStatistics(timeline);

  @Test
  void aFullWindowAndSteadyVitalsAreRight() {
    fill(100);
    assertThat(verdict(LAST)).isEmpty();
  }

  @Test
  void oneTooManyIsReported() {
    fill(101);
    assertThat(verdict(LAST))
        .contains("ALLOW in window 1: admitted by Redis must be at most 100, was 101");
  }

  @Test
  void oneTooFewIsReportedWhereAllWasWell() {
    fill(99);
    assertThat(verdict(LAST))
        .contains("DENY in window 1: admitted must be 100 under overload, was 99");
    timeline.begin(Act.SUSPENDED, 3000);
    timeline.end(3001);
    assertThat(verdict(LAST)).isEmpty();
  }

  @Test
  void aRestartWithinTheWindowAllowsALimitMore() {
    timeline.begin(Act.KILLED, 2500);
    timeline.end(2900);
    fill(200);
    assertThat(verdict(LAST)).isEmpty();
    fill(1);
    assertThat(verdict(LAST))
        .contains("LOCAL in window 1: admitted by Redis must be at most 200, was 201");
  }

  @Test
  void sharesAddUpToTheLimit() {
    timeline.begin(Act.SUSPENDED, 2000);
    fill(100);
    for (int i = 0; i < 101; i++) {
      add(RequestKind.LOCAL, 900, CheckAnswer.FALLBACK);
    }
    assertThat(verdict(LAST))
        .containsExactly("LOCAL in window 1: admitted from shares must be at most 100, was 101");
  }

  @Test
  void aSlowAnswerIsReported() {
    fill(99);
    for (RequestKind kind : List.of(RequestKind.ALLOW, RequestKind.DENY, RequestKind.LOCAL)) {
      add(kind, 400_000, CheckAnswer.STORE);
    }
    assertThat(verdict(LAST))
        .containsExactly(
            "longest answer in milliseconds, while all was well must be at most 340, was 400");
  }

  @Test
  void whatGrowsOrIsLeftOverIsReported() {
    fill(100);
    assertThat(verdict(new Vitals(300_000, 60 << 20, 35, 59, 1, 3, 1)))
        .containsExactly(
            "instance 1: heap in bytes must be at most 54525952, was 62914560",
            "instance 1: threads must be at most 34, was 35",
            "instance 1: open files must be at most 58, was 59",
            "instance 1: requests in flight without load must be at most 0, was 1",
            "instance 1: version of the rules must be 4, was 3",
            "instance 1: versions refused must be 2, was 1");
  }

  @Test
  void growthIsCountedFromTheFirstMinuteOrOfAShortLoadFromTheFirst() {
    Vitals sooner = new Vitals(38_000, 0, 0, 0, 0, 0, 0);
    assertThat(Vitals.baseline(List.of(sooner, EARLY, LAST))).isEqualTo(EARLY);
    assertThat(Vitals.baseline(List.of(sooner, EARLY))).isEqualTo(sooner);
  }

  private void fill(int permits) {
    for (int i = 0; i < permits; i++) {
      for (RequestKind kind : List.of(RequestKind.ALLOW, RequestKind.DENY, RequestKind.LOCAL)) {
        add(kind, 900, CheckAnswer.STORE);
      }
    }
  }

  private void add(RequestKind kind, long micros, String source) {
    statistics.add(new CheckAnswer(kind, 2100, 2101, micros, 200, source));
  }

  /** After two versions in the file and one over HTTP, and two with a fault. */
  private List<String> verdict(Vitals last) {
    DisturbanceLog log = new DisturbanceLog(2, 2, 1, 0, 40, List.of(List.of(EARLY, last)));
    return SoakVerdict.of(statistics, timeline, WindowRange.within(1900, 4100), log);
  }
}
