package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.FailurePolicy;
import dev.weir.RateLimiter;
import dev.weir.Source;
import dev.weir.testkit.FaultReport;
import dev.weir.testkit.RedisProcess;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** FAULTS 47, 48 and 50: all that instances hand out on their own stays within one limit. */
@Tag("slow")
@Timeout(180)
final class LocalShareFaultTest {
  private static final int OUTAGES = 4;

  private RedisProcess redis;
  private List<GuardedInstance> pair;

  @BeforeEach
  void start() {
    redis = RedisProcess.start();
    pair = Stream.generate(() -> GuardedInstance.of(redis.uri(), 2)).limit(2).toList();
  }

  @AfterEach
  void stop() {
    pair.forEach(GuardedInstance::close);
    redis.close();
  }

  @Test
  void fourOutagesInAWindowHandOutOneLimit() {
    pair.forEach(instance -> instance.decide("key", 21));
    int before = admitted();
    assertThat(before).isEqualTo(42);
    for (int outage = 0; outage < OUTAGES; outage++) {
      redis.suspend();
      pair.forEach(instance -> instance.awaitSource("key", Source.FALLBACK));
      pair.forEach(instance -> instance.decide("key", 30));
      redis.resume();
      pair.forEach(instance -> instance.awaitSettled());
      pair.forEach(instance -> instance.decide("key", 10));
    }
    long bound = before + GuardedInstance.LIMIT;
    assertThat(locally()).isPositive().isLessThanOrEqualTo((int) GuardedInstance.LIMIT);
    assertThat(admitted()).isLessThanOrEqualTo((int) bound);
    report("47 suspended " + OUTAGES + " times in a window, two instances", OUTAGES, before, bound);
  }

  @Test
  void aServerKilledFourTimesInAWindowLeavesOneLimitToLocalShares() {
    pair.forEach(instance -> instance.decide("key", 21));
    int before = admitted();
    for (int outage = 0; outage < OUTAGES; outage++) {
      redis.kill();
      pair.forEach(instance -> instance.awaitSource("key", Source.FALLBACK));
      pair.forEach(instance -> instance.decide("key", 30));
      redis.restart();
      pair.forEach(instance -> instance.awaitSettled());
    }
    pair.forEach(instance -> instance.decide("key", 200));
    long bound = before + GuardedInstance.LIMIT; // the server comes back empty: one limit more
    assertThat(locally()).isEqualTo((int) GuardedInstance.LIMIT);
    assertThat(admitted()).isLessThanOrEqualTo((int) (bound + GuardedInstance.LIMIT));
    report(
        "47 killed " + OUTAGES + " times in a window, back empty, two instances",
        OUTAGES,
        before,
        bound + GuardedInstance.LIMIT);
  }

  @Test
  void anInstanceWithoutTrafficIsChargedWithinSeconds() {
    GuardedInstance quiet = pair.get(0);
    quiet.decide("key", 10);
    redis.suspend();
    quiet.awaitSource("key", Source.FALLBACK);
    quiet.decide("key", 29);
    int used = quiet.admitted();
    redis.resume();
    long start = System.nanoTime();
    try (RedisStore observer = RedisStore.connect(redis.uri())) {
      RateLimiter other =
          RateLimiter.builder()
              .policy(GuardedInstance.policy(FailurePolicy.ERROR))
              .store(observer)
              .build();
      Awaitility.await()
          .atMost(GuardedInstance.SOON)
          .ignoreExceptions()
          .until(() -> GuardedInstance.LIMIT - other.peek("key").remaining() >= used);
    }
    Duration recovery = Duration.ofNanos(System.nanoTime() - start);
    FaultReport.row(
        "48 back, an instance without traffic",
        1,
        quiet.admittedLocally + " admitted from its share, all charged",
        quiet.longest,
        recovery);
  }

  @Test
  void anInstanceRestartedDuringAnOutageHandsOutOneShareMore() {
    pair.forEach(instance -> instance.decide("key", 21));
    redis.kill();
    pair.forEach(instance -> instance.decide("key", 200));
    assertThat(locally()).isEqualTo(100);
    try (GuardedInstance restarted = GuardedInstance.of(redis.uri(), 2)) {
      restarted.decide("key", 200);
      assertThat(restarted.admittedLocally).isEqualTo(50);
    }
    FaultReport.row(
        "50 an instance restarted during an outage",
        1,
        "100 admitted from two shares, 50 more after the restart; bound 100 and 50 per restart",
        pair.get(0).longest);
  }

  private void report(String fault, int tried, int before, long bound) {
    FaultReport.row(
        fault,
        tried,
        before
            + " used before, "
            + locally()
            + " admitted from shares, bound "
            + GuardedInstance.LIMIT
            + "; "
            + admitted()
            + " admitted in all, bound "
            + bound,
        pair.get(0).longest);
  }

  private int admitted() {
    return pair.stream().mapToInt(GuardedInstance::admitted).sum();
  }

  private int locally() {
    return pair.stream().mapToInt(instance -> instance.admittedLocally).sum();
  }
}
