package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.FailurePolicy;
import dev.weir.testkit.FaultProxy;
import dev.weir.testkit.FaultReport;
import dev.weir.testkit.RedisProcess;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** FAULTS 9, 10 and 19 with several limiters at work: something stands still, or is cut off. */
@Tag("slow")
@Timeout(120)
final class FleetStallTest {
  private static final Duration SOON = Duration.ofSeconds(10);
  private static final long PLENTY = 1_000_000;

  private RedisProcess redis;
  private FaultProxy proxy;
  private String uri;

  private enum Stall {
    STOPPED,
    BLACKHOLED
  }

  @BeforeEach
  void start() {
    redis = RedisProcess.start();
    proxy = FaultProxy.to(redis.port());
    uri = "redis://127.0.0.1:" + proxy.port();
  }

  @AfterEach
  void stop() {
    proxy.close();
    redis.close();
  }

  @ParameterizedTest
  @EnumSource(Stall.class)
  void aServerThatStandsStillIsAnsweredForByTheDeadlineAndUsedAgain(Stall stall) {
    try (Fleet fleet = Fleet.start(uri, FailurePolicy.DENY, "plenty=" + PLENTY)) {
      fleet.awaitAsked(1000);
      KeyReport before = fleet.nextPhase().get("plenty");
      begin(stall);
      Fleet.lasting(Duration.ofSeconds(2));
      KeyReport stalled = fleet.nextPhase().get("plenty");
      end(stall);
      fleet.awaitStore();
      fleet.stopLoad();
      KeyReport back = fleet.nextPhase().get("plenty");

      KeyReport all = before.plus(stalled).plus(back);
      assertThat(stalled.deniedByFallback()).isGreaterThan(1000);
      assertThat(all.admittedByFallback()).isZero();
      assertThat(stalled.plus(back).longest()).isLessThan(Fleet.TOLERATED);
      assertThat(back.fallbackUntil()).isLessThan(SOON);
      long counted = Fleet.counted(redis.uri(), "plenty", PLENTY);
      assertThat(counted).isBetween(all.admitted(), all.admitted() + all.byFallback());
      FaultReport.row(
          "9 " + stall.name().toLowerCase() + " for 2 s under the load of a fleet",
          1,
          stalled.byFallback()
              + " answered by policy; "
              + all.admitted()
              + " admitted, "
              + counted
              + " counted; p99 "
              + stalled.p99Micros()
              + " us",
          stalled.plus(back).longest(),
          back.fallbackUntil());
    }
  }

  @Test
  void connectionsCutUnderLoadAdmitNoMoreThanTheLimit() {
    long limit = 4000;
    int cuts = 0;
    try (Fleet fleet = Fleet.start(uri, FailurePolicy.DENY, "shared=" + limit)) {
      for (long spent = 0; spent < limit; cuts++) {
        long next = spent + 300;
        fleet.await(key -> key.admittedByStore() >= next || key.deniedByStore() > 0);
        KeyReport now = fleet.report().get("shared");
        spent = now.deniedByStore() > 0 ? limit : now.admittedByStore();
        proxy.cut();
      }
      KeyReport cut = fleet.nextPhase().get("shared");
      fleet.awaitStore();
      fleet.stopLoad();
      KeyReport all = cut.plus(fleet.nextPhase().get("shared"));

      assertThat(Fleet.counted(redis.uri(), "shared", limit)).isEqualTo(limit);
      assertThat(all.admitted()).isBetween(limit - all.byFallback(), limit);
      assertThat(all.longest()).isLessThan(Fleet.TOLERATED);
      FaultReport.row(
          "10 connections of a fleet cut under load",
          cuts,
          all.admitted() + " admitted, " + all.byFallback() + " failed; bound " + limit,
          all.longest());
    }
  }

  @Test
  void aProcessThatWasPausedIsInStepAtOnceAndTheLimitHolds() {
    long limit = 1000;
    Duration pause = Duration.ofSeconds(10);
    try (Fleet fleet = Fleet.start(uri, FailurePolicy.DENY, "shared=" + limit)) {
      proxy.delay(Duration.ofMillis(10), Duration.ofMillis(10)); // so that calls are under way
      fleet.awaitAsked(300);
      KeyReport before = fleet.nextPhase().get("shared");
      fleet.suspend(0);
      Fleet.lasting(pause);
      fleet.resume(0);
      fleet.awaitStore();
      fleet.stopLoad();
      List<KeyReport> each = fleet.nextPhaseOfEach().stream().map(m -> m.get("shared")).toList();

      KeyReport paused = each.get(0);
      assertThat(paused.longest()).isBetween(pause, pause.plus(Fleet.TOLERATED));
      assertThat(paused.late()).isLessThanOrEqualTo(FleetMember.CALLERS);
      assertThat(paused.fallbackUntil()).isLessThan(pause.plusSeconds(2));
      KeyReport others = each.get(1).plus(each.get(2));
      assertThat(others.longest()).isLessThan(Fleet.TOLERATED);
      KeyReport all = before.plus(paused).plus(others);
      assertThat(Fleet.counted(redis.uri(), "shared", limit)).isEqualTo(limit);
      assertThat(all.admitted()).isBetween(limit - all.byFallback(), limit);
      FaultReport.row(
          "19 one process of a fleet paused for 10 s",
          1,
          all.admitted()
              + " admitted; bound "
              + limit
              + "; "
              + paused.late()
              + " calls under way at the pause ended "
              + paused.longest().minus(pause).toMillis()
              + " ms after it, "
              + paused.byFallback()
              + " by policy; timed: the others",
          others.longest(),
          paused.byFallback() == 0 ? Duration.ZERO : paused.fallbackUntil().minus(pause));
    }
  }

  private void begin(Stall stall) {
    switch (stall) {
      case STOPPED -> redis.suspend();
      case BLACKHOLED -> proxy.blackhole();
    }
  }

  private void end(Stall stall) {
    switch (stall) {
      case STOPPED -> redis.resume();
      case BLACKHOLED -> proxy.pass();
    }
  }
}
