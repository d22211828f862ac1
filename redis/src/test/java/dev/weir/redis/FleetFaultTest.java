package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.FailurePolicy;
import dev.weir.testkit.FaultReport;
import dev.weir.testkit.RedisProcess;
import java.time.Duration;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** FAULTS 1 to 4 with several limiters at work: the server dies, or forgets. */
@Tag("slow")
@Timeout(120)
final class FleetFaultTest {
  private static final Duration DOWN = Duration.ofSeconds(2);
  private static final Duration SOON = Duration.ofSeconds(10);
  private static final long SCARCE = 200;
  private static final long PLENTY = 1_000_000;

  private RedisProcess redis;

  @BeforeEach
  void start() {
    redis = RedisProcess.start();
  }

  @AfterEach
  void stop() {
    redis.close();
  }

  @ParameterizedTest
  @EnumSource(names = {"ALLOW", "DENY"})
  void aKilledServerIsAnsweredForByPolicyAndUsedAgainWhenItIsBack(FailurePolicy policy) {
    try (Fleet fleet = Fleet.start(redis.uri(), policy, "scarce=" + SCARCE, "plenty=" + PLENTY)) {
      // A call that was late was counted and not admitted, so the last permits may go to nobody.
      fleet.await(key -> key.admittedByStore() >= SCARCE || key.deniedByStore() > 0);
      KeyReport before = fleet.nextPhase().get("scarce");
      redis.kill();
      Fleet.lasting(DOWN);
      Map<String, KeyReport> down = fleet.nextPhase();
      redis.restart();
      fleet.awaitStore();
      fleet.stopLoad();
      Map<String, KeyReport> back = fleet.nextPhase();

      KeyReport fault = down.get("scarce").plus(down.get("plenty")).plus(back.get("plenty"));
      assertThat(down.get("plenty").byFallback()).isGreaterThan(1000);
      assertThat(
              policy == FailurePolicy.ALLOW ? fault.deniedByFallback() : fault.admittedByFallback())
          .isZero();
      assertThat(fault.longest()).isLessThan(Fleet.TOLERATED);
      long admitted = before.plus(down.get("scarce")).plus(back.get("scarce")).admittedByStore();
      assertThat(admitted).isBetween(SCARCE + 1, 2 * SCARCE);
      Duration recovery = back.get("plenty").fallbackUntil();
      assertThat(recovery).isLessThan(SOON);
      FaultReport.row(
          "1, 2, 3 killed for 2 s, back empty, fleet, policy " + policy,
          1,
          fault.byFallback()
              + " answered by policy; "
              + admitted
              + " admitted by the server; bound "
              + 2 * SCARCE
              + "; p99 "
              + down.get("plenty").p99Micros()
              + " us",
          fault.longest(),
          recovery);
    }
  }

  @Test
  void sharesOfAKilledServerAddUpToTheLimit() {
    long limit = 3000;
    try (Fleet fleet = Fleet.start(redis.uri(), FailurePolicy.LOCAL, "shared=" + limit)) {
      fleet.await(key -> key.admittedByStore() >= 300);
      redis.kill();
      fleet.await(key -> key.deniedByFallback() > 0 && key.admittedByFallback() >= limit);
      Fleet.lasting(Duration.ofSeconds(1));
      KeyReport away = fleet.nextPhase().get("shared");
      redis.restart();
      fleet.awaitStore();
      fleet.stopLoad();
      KeyReport back = fleet.nextPhase().get("shared");

      assertThat(away.admittedByFallback()).isEqualTo(limit);
      assertThat(away.plus(back).admitted())
          .isLessThanOrEqualTo(away.admittedByStore() + 2 * limit);
      assertThat(away.plus(back).longest()).isLessThan(Fleet.TOLERATED);
      assertThat(back.fallbackUntil()).isLessThan(SOON);
      FaultReport.row(
          "1, 2, 3 killed, back empty, fleet, policy LOCAL",
          1,
          away.admittedByStore()
              + " used before, "
              + away.admittedByFallback()
              + " admitted from shares, bound "
              + limit
              + "; "
              + back.admitted()
              + " by the empty server, bound "
              + limit,
          away.plus(back).longest(),
          back.fallbackUntil());
    }
  }

  @Test
  void aFlushUnderLoadCostsTheFleetOneBurst() {
    int flushes = 3;
    try (Fleet fleet = Fleet.start(redis.uri(), FailurePolicy.DENY, "scarce=" + SCARCE)) {
      for (int i = 0; i < flushes; i++) {
        awaitSpent("scarce");
        redis.command("FLUSHALL");
      }
      awaitSpent("scarce");
      fleet.awaitStore();
      fleet.stopLoad();
      KeyReport all = fleet.nextPhase().get("scarce");

      assertThat(all.admitted()).isBetween(flushes * SCARCE + 1, (flushes + 1) * SCARCE);
      FaultReport.row(
          "3 FLUSHALL under the load of a fleet",
          flushes,
          all.admitted() + " of " + all.asked() + " admitted; bound " + (flushes + 1) * SCARCE,
          all.longest());
    }
  }

  @Test
  void scriptsForgottenUnderLoadAreCountedOnce() {
    int flushes = 50;
    try (Fleet fleet = Fleet.start(redis.uri(), FailurePolicy.DENY, "plenty=" + PLENTY)) {
      for (int i = 0; i < flushes; i++) {
        fleet.awaitAsked(20);
        redis.command("SCRIPT", "FLUSH");
      }
      fleet.stopLoad();
      KeyReport all = fleet.nextPhase().get("plenty");

      long counted = Fleet.counted(redis.uri(), "plenty", PLENTY);
      assertThat(counted).isBetween(all.admitted(), all.admitted() + all.byFallback());
      FaultReport.row(
          "4 SCRIPT FLUSH under the load of a fleet",
          flushes,
          all.admitted() + " of " + all.asked() + " admitted, " + counted + " counted",
          all.longest());
    }
  }

  private void awaitSpent(String key) {
    Awaitility.await().until(() -> Fleet.counted(redis.uri(), key, SCARCE) == SCARCE);
  }
}
