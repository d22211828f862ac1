package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.FailurePolicy;
import dev.weir.GuardListener;
import dev.weir.GuardedStore;
import dev.weir.Limit;
import dev.weir.Policy;
import dev.weir.RateLimiter;
import dev.weir.Source;
import dev.weir.StoreUnavailableException;
import dev.weir.testkit.FaultProxy;
import dev.weir.testkit.FaultReport;
import dev.weir.testkit.RedisProcess;
import dev.weir.testkit.RedisServers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** FAULTS 1, 2 and 9 behind guards: what callers see of an outage, from its start to its end. */
@Tag("slow")
final class OutageTest {
  @RegisterExtension static final RedisServers SERVERS = RedisServers.embedded();

  private static final Duration DEADLINE = Duration.ofMillis(100);

  /** The deadline and what a busy machine may add to it. */
  private static final Duration TOLERATED = Duration.ofSeconds(1);

  private static final Limit HUNDRED = Limit.fixedWindow(100, Duration.ofDays(1));

  private final ConcurrentLinkedQueue<String> events = new ConcurrentLinkedQueue<>();
  private final List<AutoCloseable> open = new ArrayList<>();
  private RedisProcess redis;
  private FaultProxy proxy;

  private enum Outage {
    KILLED,
    STOPPED,
    BLACKHOLED
  }

  @BeforeEach
  void start() {
    redis = SERVERS.redis();
    proxy = FaultProxy.to(redis.port());
  }

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
    proxy.close();
  }

  @ParameterizedTest
  @EnumSource(Outage.class)
  void nobodyWaitsBeyondTheDeadlineAndTheStoreIsUsedAgainSoonAfter(Outage outage) {
    RateLimiter limiter = limiter(FailurePolicy.ALLOW, 1);
    limiter.decide("key");
    begin(outage);
    Duration before = longestUntil(limiter, () -> events.contains("opened"));
    Duration after = longestOf(limiter, 5_000);
    assertThat(before).isLessThan(TOLERATED);
    assertThat(after).isLessThan(TOLERATED);
    assertThat(events).containsExactly("opened");
    long ended = System.nanoTime();
    end(outage);
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> limiter.decide("key").source() == Source.STORE);
    Duration recovery = Duration.ofNanos(System.nanoTime() - ended);
    FaultReport.row(
        "1, 2, 9 " + outage.name().toLowerCase() + " behind guards, deadline 100 ms",
        5_000,
        "answered by policy; with the breaker open at most " + after.toMillis() + " ms",
        before,
        recovery);
  }

  @Test
  void localSharesStayWithinWhatWasUsedPlusTheLimit() {
    RateLimiter first = limiter(FailurePolicy.LOCAL, 2);
    RateLimiter second = limiter(FailurePolicy.LOCAL, 2);
    assertThat(first.decide("key", 30).allowed()).isTrue();
    assertThat(second.decide("key", 10).allowed()).isTrue();
    begin(Outage.KILLED);
    int admitted = 0;
    for (int i = 0; i < 300; i++) {
      admitted += first.decide("key").allowed() ? 1 : 0;
      admitted += second.decide("key").allowed() ? 1 : 0;
    }
    assertThat(admitted).isEqualTo(100);
    FaultReport.row(
        "1 killed, local shares of two instances",
        600,
        "40 used before, " + admitted + " admitted from shares, bound 40 + 100");
  }

  @Test
  void whatWasUsedLocallyIsKnownToTheServerAfterwards() {
    RateLimiter limiter = limiter(FailurePolicy.LOCAL, 2);
    limiter.decide("key", 10);
    begin(Outage.STOPPED);
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> limiter.decide("key").source() == Source.FALLBACK);
    long used = 1;
    while (used < 20) {
      used += limiter.decide("key").allowed() ? 1 : 0;
    }
    end(Outage.STOPPED);
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .until(
            () -> {
              Decision peek = limiter.peek("key");
              return peek.source() == Source.STORE && peek.remaining() <= 70;
            });
    assertThat(limiter.peek("key").remaining())
        .isBetween(60L, 70L); // those in flight may count too
  }

  private void begin(Outage outage) {
    switch (outage) {
      case KILLED -> redis.kill();
      case STOPPED -> redis.suspend();
      case BLACKHOLED -> proxy.blackhole();
    }
  }

  private void end(Outage outage) {
    switch (outage) {
      case KILLED -> redis.restart();
      case STOPPED -> redis.resume();
      case BLACKHOLED -> proxy.pass();
    }
  }

  private static Duration longestUntil(
      RateLimiter limiter, java.util.function.BooleanSupplier over) {
    Duration longest = Duration.ZERO;
    while (!over.getAsBoolean()) {
      longest = max(longest, timed(limiter));
    }
    return longest;
  }

  private static Duration longestOf(RateLimiter limiter, int decisions) {
    Duration longest = Duration.ZERO;
    for (int i = 0; i < decisions; i++) {
      longest = max(longest, timed(limiter));
    }
    return longest;
  }

  private static Duration timed(RateLimiter limiter) {
    long start = System.nanoTime();
    assertThat(limiter.decide("key").allowed()).isTrue();
    return Duration.ofNanos(System.nanoTime() - start);
  }

  private static Duration max(Duration a, Duration b) {
    return a.compareTo(b) > 0 ? a : b;
  }

  private RateLimiter limiter(FailurePolicy onFailure, int instances) {
    RedisStore store =
        RedisStore.builder("redis://127.0.0.1:" + proxy.port())
            .timeout(Duration.ofSeconds(2))
            .build();
    GuardedStore guarded =
        GuardedStore.builder(store)
            .deadline(DEADLINE)
            .instances(instances)
            .listener(listener())
            .build();
    open.add(guarded);
    return RateLimiter.builder()
        .policy(Policy.of("outage", "hundred", limitFor(onFailure)).onStoreFailure(onFailure))
        .store(guarded)
        .build();
  }

  private static Limit limitFor(FailurePolicy onFailure) {
    return onFailure == FailurePolicy.LOCAL
        ? HUNDRED
        : Limit.fixedWindow(1_000_000_000, Duration.ofDays(1));
  }

  private GuardListener listener() {
    return new GuardListener() {
      @Override
      public void breakerOpened(String node, StoreUnavailableException cause) {
        events.add("opened");
      }
    };
  }
}
