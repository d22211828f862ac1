package dev.weir.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
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

/** At ten times the limit, the shares of instances follow their load. */
@Tag("slow")
final class LeaseShareTest {
  private static final int PERIOD_MICROS = 1_000_000;

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

    void ask() {
      ask(question);
    }

    void ask(Question about) {
      asked++;
      leases.decide(about).thenAccept(verdicts -> admitted += verdicts.allowed() ? 1 : 0);
    }
  }

  /** Lets both ask, each so many times in a millisecond, and counts anew. */
  private void load(int ofFirst, int ofSecond, int micros) {
    first.admitted = 0;
    second.admitted = 0;
    for (int passed = 0; passed < micros; passed += 100) {
      if (random.nextInt(10) < ofFirst) {
        first.ask();
      }
      if (random.nextInt(10) < ofSecond) {
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

  /** Four instances that share the load of one limit evenly. */
  private void loadFour(double ofLimit, Limit limit, double leastAllowed, double mostCalls) {
    Policy shared = Policy.of("four", "limit", limit).withLease(Duration.ofSeconds(1));
    Question asked = new Question(Operation.ACQUIRE, List.of(Claim.of(shared, "key")));
    List<Instance> all = List.of(first, second, new Instance(), new Instance());
    double perStep = ofLimit * 1000 / 10_000 / all.size();
    long before = 0;
    long calls = 0;
    for (int passed = 0; passed < 16 * PERIOD_MICROS; passed += 100) {
      if (passed == 8 * PERIOD_MICROS) {
        before = all.stream().mapToLong(each -> each.asked).sum();
        calls = all.stream().mapToLong(each -> each.network.calls).sum();
        all.forEach(each -> each.admitted = 0);
      }
      for (Instance each : all) {
        if (random.nextDouble() < perStep) {
          each.ask(asked);
        }
        each.network.run();
      }
      time.advanceMicros(100);
    }
    double requests = all.stream().mapToLong(each -> each.asked).sum() - before;
    double admitted = all.stream().mapToLong(each -> each.admitted).sum();
    double sent = all.stream().mapToLong(each -> each.network.calls).sum() - calls;
    assertThat(admitted / Math.min(requests, 8 * 1000)).as("allowed").isGreaterThan(leastAllowed);
    assertThat(sent / requests).as("calls per decision").isLessThan(mostCalls);
  }

  @ParameterizedTest
  @CsvSource({"0.5, 0.99", "1, 0.9", "10, 0.9"})
  void severalInstancesGetWhatTheLimitHasAndCallRarely(double ofLimit, double leastAllowed) {
    loadFour(ofLimit, Limit.tokenBucket(60_000, Duration.ofMinutes(1)), leastAllowed, 0.02);
  }

  /** A bucket that fills in a second has leases of 400 ms: docs/hot-keys.md has the arithmetic. */
  @ParameterizedTest
  @CsvSource({"0.5, 0.99, 0.04", "1, 0.95, 0.025", "10, 0.9, 0.02"})
  void aSmallBurstNeedsMoreCalls(double ofLimit, double leastAllowed, double mostCalls) {
    loadFour(ofLimit, Limit.tokenBucket(1000, Duration.ofSeconds(1)), leastAllowed, mostCalls);
  }
}
