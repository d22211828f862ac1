package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.FailurePolicy;
import dev.weir.testkit.FaultReport;
import dev.weir.testkit.RedisSentinels;
import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * FAULTS 5 with several limiters at work: a failover that loses the last d seconds admits at most
 * one burst and what refills in d above the limit. The load asks for about ten times the limit, so
 * a master that is forgotten, or used for longer than it was measured, breaks the bound.
 */
@Tag("slow")
@Timeout(120)
final class FleetFailoverTest {
  private static final long BURST = 50;
  private static final long PER_SECOND = 200;
  private static final Duration SOON = Duration.ofSeconds(20);

  /** Until each Sentinel has heard of a new master from the others, and each limiter from it. */
  private static final Duration NEWS = Duration.ofSeconds(4);

  private enum Change {
    KILLED,
    FAILED_OVER
  }

  @ParameterizedTest
  @EnumSource(Change.class)
  void aNewMasterAdmitsABurstAndWhatRefilledInTheTimeLostAtMost(Change change) {
    String limit = "bucket=" + BURST + "+" + PER_SECOND + "/s";
    try (RedisSentinels group = RedisSentinels.start();
        Fleet fleet = Fleet.start(group.uri(), FailurePolicy.DENY, limit)) {
      LostTime lost = new LostTime(group.master(), group.replica());
      fleet.await(key -> key.deniedByStore() > 0);
      long begin = System.nanoTime();
      fleet.nextPhase();
      Fleet.lasting(Duration.ofSeconds(1));
      KeyReport before = fleet.nextPhase().get("bucket");
      change(change, group, lost);
      fleet.awaitStore();
      fleet.stopLoad();
      Duration whole = Duration.ofNanos(System.nanoTime() - begin);
      KeyReport over = fleet.nextPhase().get("bucket");
      if (change == Change.FAILED_OVER) {
        lost.noteCalls();
      }

      assertThat(over.longest()).isLessThan(Fleet.TOLERATED);
      assertThat(over.fallbackUntil()).isLessThan(SOON);
      // A call that was under way at the beginning may have been counted a deadline earlier.
      Duration served = whole.plus(Fleet.DEADLINE).minus(lost.masterless());
      check(change, before.plus(over), over, served, lost.duration());
    }
  }

  private static void change(Change change, RedisSentinels group, LostTime lost) {
    if (change == Change.KILLED) {
      lost.kill();
    } else {
      group.failOver();
      lost.awaitPromotion();
      lost.watchCalls(NEWS);
    }
  }

  private static void check(
      Change change, KeyReport all, KeyReport over, Duration served, Duration lost) {
    long ordinary = refilled(served);
    long extra = refilled(lost);
    assertThat(all.admitted())
        .as("lost %s of %s", lost, served)
        .isGreaterThan(PER_SECOND)
        .isLessThanOrEqualTo(ordinary + extra);
    FaultReport.row(
        "5 master " + change.name().toLowerCase(Locale.ROOT).replace('_', ' ') + " under a fleet",
        1,
        "%d of %d admitted in %d ms with a master; bound %d, and %d for the %d ms lost"
            .formatted(
                all.admitted(), all.asked(), served.toMillis(), ordinary, extra, lost.toMillis()),
        over.longest(),
        over.fallbackUntil());
  }

  /** A burst and what refills in this time. */
  private static long refilled(Duration time) {
    return BURST + PER_SECOND * time.toMillis() / 1000 + 1;
  }
}
