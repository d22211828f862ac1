package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.HeldPermit;
import dev.weir.Limit;
import dev.weir.Policy;
import dev.weir.RateLimiter;
import dev.weir.RequestId;
import dev.weir.StoreUnavailableException;
import dev.weir.testkit.FaultReport;
import dev.weir.testkit.RedisProcess;
import dev.weir.testkit.RedisSentinels;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** FAULTS 5 for requests in flight: the master changes while slots are held. */
@Tag("slow")
@Timeout(180)
final class SlotsFailoverTest {
  private static final int SLOTS = 8;

  /** Long enough for Sentinels to name another master before slots are lost. */
  private static final Duration HOLD = Duration.ofSeconds(12);

  private static final Duration SOON = Duration.ofSeconds(30);

  /** Until each Sentinel has heard of a new master from the others, and each limiter from it. */
  private static final Duration NEWS = Duration.ofSeconds(4);

  private static final Claim CLAIM =
      Claim.of(Policy.of("rule", "at-once", Limit.inFlight(SLOTS, HOLD)), "key");

  private enum Change {
    KILLED,
    FAILED_OVER;

    void apply(RedisSentinels group, LostTime lost) {
      if (this == KILLED) {
        lost.kill();
      } else {
        group.failOver();
        lost.awaitPromotion();
      }
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  @ParameterizedTest
  @EnumSource(Change.class)
  void holdersKeepTheirSlotsAndARepeatedRequestTakesNoSecondOne(Change change) {
    try (RedisSentinels group = RedisSentinels.start();
        RedisStore store = open(group)) {
      RateLimiter limiter = RateLimiter.forClaims(store);
      List<HeldPermit> held = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        held.add(limiter.hold(List.of(CLAIM)));
      }
      RequestId id = RequestId.of("request");
      Decision named = limiter.decide(List.of(CLAIM), id);
      assertThat(group.master().command("WAIT", "1", "10000")).isEqualTo(":1");
      change.apply(group, new LostTime(group.master(), group.replica()));
      awaitNewMaster(limiter, group.replica());

      Decision repeated = limiter.decide(List.of(CLAIM), id);
      assertThat(repeated.repeated()).isTrue();
      assertThat(repeated.receipt()).isEqualTo(named.receipt());
      assertThat(members(group.replica())).doesNotHaveDuplicates().hasSize(6);

      Awaitility.await("the slot that nobody renews is lost")
          .atMost(HOLD.plus(SOON))
          .until(() -> remaining(limiter) == SLOTS - 5);
      assertThat(held).noneMatch(HeldPermit::isLost);
      Fleet.lasting(HOLD.dividedBy(2)); // a beat and more: only what is renewed is still there
      assertThat(remaining(limiter)).isEqualTo(SLOTS - 5);
      assertThat(held).noneMatch(HeldPermit::isLost);
      held.forEach(HeldPermit::close);
      Awaitility.await().atMost(SOON).until(() -> remaining(limiter) == SLOTS);
      FaultReport.row(
          "5 master " + change + " while slots are held",
          1,
          "5 of 5 holders kept theirs, a repeated request took none");
    }
  }

  /** Those who held slots that the new master was never told of go on, beside those it admits. */
  @ParameterizedTest
  @EnumSource(Change.class)
  void noMoreThanTheSlotsTwiceAreUsedMeanwhileAndNoneLeaks(Change change)
      throws InterruptedException {
    try (RedisSentinels group = RedisSentinels.start();
        RedisStore first = open(group);
        RedisStore second = open(group)) {
      Load load = new Load(List.of(RateLimiter.forClaims(first), RateLimiter.forClaims(second)));
      Awaitility.await().atMost(SOON).until(() -> load.taken.get() > 500);
      assertThat(load.nextPhase()).isEqualTo(SLOTS);
      LostTime lost = new LostTime(group.master(), group.replica());
      change.apply(group, lost);
      if (change == Change.FAILED_OVER) {
        lost.watchCalls(NEWS);
      }
      load.limiters.forEach(limiter -> awaitNewMaster(limiter, group.replica()));
      int meanwhile = load.nextPhase();
      assertThat(meanwhile).isBetween(1, 2 * SLOTS);
      long before = load.taken.get();
      Awaitility.await().atMost(HOLD.plus(SOON)).until(() -> load.taken.get() > before + 500);
      load.stop();
      assertThat(load.nextPhase()).as("with the new master alone").isBetween(1, SLOTS);
      Awaitility.await("what was never released is lost")
          .atMost(HOLD.plus(SOON))
          .until(() -> remaining(load.limiters.get(0)) == SLOTS);
      FaultReport.row(
          "5 master " + change + " under load on " + SLOTS + " slots",
          1,
          meanwhile + " used at once meanwhile, all free after a hold");
    }
  }

  /** Callers that hold a slot for some milliseconds, again and again, over all limiters. */
  private static final class Load {
    private static final int CALLERS = 12;

    final List<RateLimiter> limiters;
    final AtomicLong taken = new AtomicLong();
    private final AtomicInteger holding = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final List<Thread> callers = new ArrayList<>();
    private volatile boolean stopped;

    Load(List<RateLimiter> limiters) {
      this.limiters = limiters;
      for (int i = 0; i < CALLERS; i++) {
        RateLimiter limiter = limiters.get(i % limiters.size());
        Random random = new Random(i);
        Thread caller = new Thread(() -> run(limiter, random));
        caller.setDaemon(true);
        callers.add(caller);
        caller.start();
      }
    }

    private void run(RateLimiter limiter, Random random) {
      while (!stopped) {
        try (HeldPermit permit = limiter.hold(List.of(CLAIM))) {
          if (permit.decision().allowed()) {
            taken.incrementAndGet();
            most.accumulateAndGet(holding.incrementAndGet(), Math::max);
            LockSupport.parkNanos(1_000_000L * (1 + random.nextInt(10)));
            holding.decrementAndGet();
          }
        } catch (StoreUnavailableException noMaster) {
          LockSupport.parkNanos(10_000_000);
        }
      }
    }

    /** The most slots that were used at once since this was asked last. */
    int nextPhase() {
      return most.getAndSet(holding.get());
    }

    void stop() throws InterruptedException {
      stopped = true;
      for (Thread caller : callers) {
        caller.join();
      }
    }
  }

  private static RedisStore open(RedisSentinels group) {
    return RedisStore.builder(group.uri()).timeout(Duration.ofSeconds(2)).build();
  }

  private static long remaining(RateLimiter limiter) {
    return limiter.peek(List.of(CLAIM)).remaining();
  }

  /** Until the limiter asks the new master. */
  private static void awaitNewMaster(RateLimiter limiter, RedisProcess master) {
    String key = "probe-" + System.identityHashCode(limiter);
    Claim probe = Claim.of(Policy.of("rule", "probe", Limit.slidingLog(1, HOLD)), key);
    Awaitility.await()
        .atMost(SOON)
        .ignoreExceptionsInstanceOf(StoreUnavailableException.class)
        .until(
            () -> {
              limiter.charge(List.of(probe));
              return !master.commandList("KEYS", "weir:*|" + key + "|*").isEmpty();
            });
  }

  private static List<String> members(RedisProcess server) {
    List<String> keys = server.commandList("KEYS", "weir:*|key|at-once|slots");
    assertThat(keys).hasSize(1);
    return server.commandList("ZRANGE", keys.get(0), "0", "-1");
  }
}
