package dev.weir.cli.simulate.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.CalendarUnit;
import dev.weir.Limit;
import dev.weir.Policy;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a replay adds up stays small and right. */
final class ReplayStatisticsTest {
  @Test
  void theTimelineStaysSmallWhateverItsLength() {
    TrafficHistogram timeline = new TrafficHistogram();
    for (long day = 0; day < 5000; day++) {
      timeline.add(day * 86_400_000_000L, day % 2 == 0);
    }
    assertThat(timeline.columns()).hasSizeLessThanOrEqualTo(240);
    assertThat(timeline.columns().stream().mapToLong(column -> column.requests()).sum())
        .isEqualTo(5000);
    assertThat(timeline.narrowed(10).span()).isLessThanOrEqualTo(10);
  }

  @Test
  void theKeysCountedMostAreKeptAmongMany() {
    TopKeys keys = new TopKeys();
    for (int i = 0; i < 300_000; i++) {
      keys.add(i, "l", i % 10 == 0 ? "often" : "k" + i);
    }
    assertThat(keys.top(1))
        .containsExactly(new TopKeys.Count(new TopKeys.Who("l", "often"), 30_000, 0, 299_990));
  }

  @Test
  void idleKeysAreFoldedIntoCounts() {
    PeakDemand peaks = new PeakDemand(Limit.fixedWindow(1, Duration.ofSeconds(1)));
    for (int i = 0; i < 250_000; i++) {
      peaks.add(i * 100_000L, "k" + i, 3, true);
    }
    assertThat(peaks.distribution()).isEqualTo(Map.of(3L, new PeakDemand.Share(250_000, 250_000)));
    assertThat(PeakDemand.roundedUp(999)).isEqualTo(999);
    assertThat(PeakDemand.roundedUp(12_345)).isEqualTo(12_400);
  }

  @Test
  void memoryIsBoundedWhateverTheNumberOfKeysInUse() {
    PeakDemand peaks = new PeakDemand(Limit.fixedWindow(1, Duration.ofDays(1)));
    for (int i = 0; i < 350_000; i++) {
      peaks.add(i, "k" + i, 3, true);
      peaks.add(i, "hot", 1, false);
      assertThat(peaks.size()).isLessThanOrEqualTo(PeakDemand.MAX_KEYS);
    }
    assertThat(peaks.distribution())
        .isEqualTo(
            Map.of(
                3L, new PeakDemand.Share(350_000, 350_000), 350_000L, new PeakDemand.Share(1, 0)));
    assertThat(peaks.foldedEarly()).isBetween(250_000L, 300_000L);
  }

  @Test
  void manyKeysOfOneInstantAreBoundedToo() {
    PeakDemand peaks = new PeakDemand(Limit.fixedWindow(1, Duration.ofDays(1)));
    for (int i = 0; i < 250_000; i++) {
      peaks.add(7, "k" + i, 1, false);
      assertThat(peaks.size()).isLessThanOrEqualTo(PeakDemand.MAX_KEYS);
    }
    assertThat(peaks.distribution()).isEqualTo(Map.of(1L, new PeakDemand.Share(250_000, 0)));
  }

  @Test
  void longKeysAreHeldByTheirBeginningAndADigest() {
    String one = StatisticsKey.of("x".repeat(1 << 20) + "1");
    String other = StatisticsKey.of("x".repeat(1 << 20) + "2");
    assertThat(one).hasSize(193).startsWith("xxx").isNotEqualTo(other);
    assertThat(StatisticsKey.of("x".repeat(200))).isEqualTo("x".repeat(200));
  }

  @Test
  void limitsAreNamedAsTheRuleFileWritesThem() {
    LimitStatistics slots = statistics(Limit.inFlight(10, Duration.ofSeconds(30)));
    assertThat(slots.limit()).isEqualTo("10 at once");
    assertThat(slots.proposal(12)).isEqualTo("12 at once");
    LimitStatistics month =
        statistics(Limit.fixedWindow(5000, CalendarUnit.MONTH, ZoneId.of("Europe/Berlin")));
    assertThat(month.limit()).isEqualTo("5000 per month in Europe/Berlin");
    assertThat(month.proposal(7000)).isEqualTo("7000 per month in Europe/Berlin");
    LimitStatistics bucket = statistics(Limit.tokenBucket(10, Duration.ofMinutes(1)).withBurst(20));
    assertThat(bucket.limit()).isEqualTo("10 per minute, burst 20");
    assertThat(bucket.proposal(30)).isEqualTo("burst 30");
  }

  private static LimitStatistics statistics(Limit limit) {
    return new LimitStatistics(Policy.of("rule", "limit", limit));
  }
}
