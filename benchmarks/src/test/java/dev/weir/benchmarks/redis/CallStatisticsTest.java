package dev.weir.benchmarks.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.weir.benchmarks.redis.LoadGenerator.MeasuredInterval;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CallStatisticsTest {
  private static final long SECOND = 1_000_000_000;
  private static final MeasuredInterval WINDOW = new MeasuredInterval(SECOND, 3 * SECOND);

  @Test
  void onlyWhatIsAnsweredInTheWindowCountsForSpeed() {
    CallStatistics statistics = new CallStatistics(WINDOW);
    statistics.add(0, SECOND - 1, true);
    statistics.add(0, SECOND, true);
    statistics.add(SECOND, 2 * SECOND, false);
    statistics.add(2 * SECOND, 3 * SECOND, true);
    assertThat(statistics.perSecond()).isEqualTo(1);
    assertThat(statistics.asked()).isEqualTo(4);
    assertThat(statistics.admitted()).isEqualTo(3);
  }

  @Test
  void talliesOfAllCallersAreAddedUp() {
    CallStatistics quick = new CallStatistics(WINDOW);
    CallStatistics slow = new CallStatistics(WINDOW);
    quick.add(SECOND, SECOND + 1_000, true);
    slow.add(SECOND, SECOND + 1_000_000, true);
    CallStatistics sum = CallStatistics.sum(WINDOW, List.of(quick, slow));
    assertThat(sum.asked()).isEqualTo(2);
    assertThat(sum.micros(50)).isCloseTo(1, within(0.02));
    assertThat(sum.micros(99)).isCloseTo(1_000, within(10.0));
  }
}
