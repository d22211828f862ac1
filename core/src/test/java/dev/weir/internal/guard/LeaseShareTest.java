package dev.weir.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.LeaseStatus;
import dev.weir.Limit;
import dev.weir.ManualTime;
import dev.weir.MemoryStore;
import dev.weir.Policy;
import dev.weir.spi.Operation;
import dev.weir.spi.Question;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Shares of instances follow their load, all of the limit is used, and calls are rare. */
@Tag("slow")
final class LeaseShareTest {
  private static final int PERIOD_MICROS = 1_000_000;
  private static final int PERIODS = 8;
  private static final int PER_SECOND = 1000;

  private final ManualTime time = new ManualTime();
  private final MemoryStore memory = MemoryStore.builder().time(time).build();
  private final Policy policy =
      Policy.of("rule", "limit", Limit.tokenBucket(1000, Duration.ofSeconds(1)))
          .withLease(Duration.ofSeconds(1));
  private final Question question =
      new Question(Operation.ACQUIRE, List.of(Claim.of(policy, "key")));
  private final Random random = new Random(1);
  private final Instance first = new Instance();
  private final Instance second = new Instance();

  @BeforeEach
  void setTime() {
    time.set(Instant.parse("2026-11-01T10:00:00Z"));
  }

  private final class Instance {
    final SlowStore network = new SlowStore(memory, time, new Random(7), 300, 0);
    final LeaseStore leases =
        LeaseStore.swept(network, 1000, () -> time.nowMicros() * 1000, random::nextDouble);
    long asked;
    long admitted;
    long waited;

    void ask() {
      ask(question);
    }

    void ask(Question about) {
      asked++;
      var answer = leases.decide(about).toCompletableFuture();
      waited += answer.isDone() ? 0 : 1;
      answer.thenAccept(verdicts -> admitted += verdicts.allowed() ? 1 : 0);
    }
  }

  /** Lets both ask, each so many times in a millisecond, and counts anew. */
  private void load(double ofFirst, double ofSecond, int micros) {
    first.admitted = 0;
    second.admitted = 0;
    for (int passed = 0; passed < micros; passed += 100) {
      if (10 * random.nextDouble() < ofFirst) {
        first.ask();
      }
      if (10 * random.nextDouble() < ofSecond) {
        second.ask();
      }
      time.advanceMicros(100);
      first.network.run();
      second.network.run();
      if (passed % 100_000 == 0) {
        first.leases.sweep();
        second.leases.sweep();
      }
    }
  }

  @Test
  void anInstanceWithTenTimesTheLoadGetsAboutTenTimesThePermits() {
    load(10, 1, PERIOD_MICROS);
    load(10, 1, 6 * PERIOD_MICROS);
    assertThat(first.admitted + second.admitted).isBetween(5_500L, 7_000L);
    assertThat((double) first.admitted / second.admitted).isBetween(5.0, 20.0);
  }

  @Test
  void sharesFollowTheLoadWithinTwoPeriods() {
    load(10, 1, 3 * PERIOD_MICROS);
    load(1, 10, 2 * PERIOD_MICROS);
    load(1, 10, 3 * PERIOD_MICROS);
    assertThat((double) second.admitted / first.admitted).isBetween(5.0, 20.0);
  }

  /** Below the limit no load is reported, so shares are not known when it is reached. */
  @Test
  void sharesAreReachedWithinTwoPeriodsAfterAQuietTime() {
    load(0.2, 0.2, 5 * PERIOD_MICROS);
    load(10, 1, 2 * PERIOD_MICROS);
    load(10, 1, 3 * PERIOD_MICROS);
    assertThat((double) first.admitted / second.admitted).isBetween(5.0, 20.0);
  }

  @Test
  void anInstanceThatJoinsUnderLoadIsServed() {
    load(10, 0, 2 * PERIOD_MICROS);
    load(10, 10, PERIOD_MICROS);
    load(10, 10, 2 * PERIOD_MICROS);
    assertThat(second.admitted).isBetween(700L, 1300L);
  }

  /** Also while an instance may not lease, because all that may be leased at once is leased. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void callsStayRareAtTenTimesTheLimit(long seed) {
    random.setSeed(seed);
    load(10, 1, PERIOD_MICROS);
    long askedBefore = first.asked + second.asked;
    int callsBefore = first.network.calls + second.network.calls;
    load(10, 1, 3 * PERIOD_MICROS);
    double calls = first.network.calls + second.network.calls - callsBefore;
    assertThat(calls / (first.asked + second.asked - askedBefore)).isLessThan(0.02);
  }

  /** What four instances did in a time, all together. */
  private record Use(
      long asked, long admitted, long waited, long calls, long leased, long expired) {
    static Use of(List<Instance> all) {
      Use sum = new Use(0, 0, 0, 0, 0, 0);
      for (Instance each : all) {
        LeaseStatus status = each.leases.status();
        sum =
            new Use(
                sum.asked + each.asked,
                sum.admitted + each.admitted,
                sum.waited + each.waited,
                sum.calls + each.network.calls,
                sum.leased + status.leased(),
                sum.expired + status.expired());
      }
      return sum;
    }

    Use since(Use before) {
      return new Use(
          asked - before.asked,
          admitted - before.admitted,
          waited - before.waited,
          calls - before.calls,
          leased - before.leased,
          expired - before.expired);
    }

    double callsPerDecision() {
      return (double) calls / asked;
    }

    double stranded() {
      return (double) expired / leased;
    }
  }

  /** Four instances share the load of one limit evenly: eight periods, after as many to settle. */
  private Use loadFour(double ofLimit, Limit limit) {
    Policy shared = Policy.of("four", "limit", limit).withLease(Duration.ofSeconds(1));
    Question asked = new Question(Operation.ACQUIRE, List.of(Claim.of(shared, "key")));
    List<Instance> all = List.of(first, second, new Instance(), new Instance());
    double perStep = ofLimit * PER_SECOND / 10_000 / all.size();
    loadEvenly(all, asked, perStep);
    Use before = Use.of(all);
    loadEvenly(all, asked, perStep);
    return Use.of(all).since(before);
  }

  private void loadEvenly(List<Instance> all, Question about, double perStep) {
    for (int passed = 0; passed < PERIODS * PERIOD_MICROS; passed += 100) {
      for (Instance each : all) {
        if (random.nextDouble() < perStep) {
          each.ask(about);
        }
        each.network.run();
      }
      time.advanceMicros(100);
    }
  }

  /**
   * The second bucket fills in a second, so its leases live half a second: docs/hot-keys.md has the
   * arithmetic.
   */
  @ParameterizedTest
  @CsvSource({
    "60, 0.5, 1, 0.01, 0.04",
    "60, 1, 0.99, 0.01, 0.02",
    "60, 10, 0.98, 0.012, 0.01",
    "1, 0.5, 1, 0.02, 0.04",
    "1, 1, 0.98, 0.02, 0.02",
    "1, 10, 0.98, 0.012, 0.01"
  })
  void severalInstancesGetWhatTheLimitHasAndCallRarely(
      int seconds, double ofLimit, double leastAllowed, double mostCalls, double mostStranded) {
    Limit limit = Limit.tokenBucket(PER_SECOND * seconds, Duration.ofSeconds(seconds));
    Use use = loadFour(ofLimit, limit);
    double possible = Math.min(use.asked, PERIODS * PER_SECOND);
    assertThat(use.admitted / possible).as("allowed").isGreaterThanOrEqualTo(leastAllowed);
    assertThat(use.callsPerDecision()).as("calls per decision").isLessThanOrEqualTo(mostCalls);
    assertThat(use.stranded()).as("leased and not spent").isLessThanOrEqualTo(mostStranded);
  }

  /** A lease that is requested in the middle of a window is for the rest of it. */
  @ParameterizedTest
  @CsvSource({"0.5, 0.99, 0.1", "0.8, 0.99, 0.1"})
  void littleOfALeaseEndsUnspentWithItsWindow(
      double ofLimit, double leastAllowed, double mostStranded) {
    Use use = loadFour(ofLimit, Limit.fixedWindow(PER_SECOND, Duration.ofSeconds(1)));
    assertThat((double) use.admitted / use.asked).isGreaterThanOrEqualTo(leastAllowed);
    assertThat(use.stranded()).as("leased and not spent").isLessThanOrEqualTo(mostStranded);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void callersDoNotWaitForTheNextLease(long seed) {
    random.setSeed(seed);
    Use use = loadFour(0.5, Limit.tokenBucket(PER_SECOND, Duration.ofSeconds(1)));
    assertThat((double) use.waited / use.asked).isLessThan(0.001);
    assertThat(use.callsPerDecision()).as("calls per decision").isLessThanOrEqualTo(0.02);
  }
}
