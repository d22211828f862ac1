package dev.weir.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import dev.weir.ManualTime;
import dev.weir.RateLimiter;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Random traces, answered by the limiter and by the models; {@code -Dweir.seed} repeats a run. */
final class ExactModelTest {
  private static final int TRACES = 1_500;
  private static final int STEPS = 120;

  private static long firstSeed() {
    return Long.getLong("weir.seed", 1);
  }

  @ParameterizedTest
  @EnumSource
  void everyAnswerIsThatOfTheDefinition(RandomLimits limits) {
    long seed = firstSeed();
    System.out.println("ExactModelTest " + limits + " -Dweir.seed=" + seed);
    long decisions = 0;
    for (int trace = 0; trace < TRACES; trace++) {
      Random random = new Random(seed + trace * 7919L);
      Limit limit = limits.next(random);
      try (Trace run = new Trace(limit, random)) {
        run.steps(STEPS);
        decisions += run.decisions();
      } catch (AssertionError wrong) {
        throw new AssertionError(
            limit + " with -Dweir.seed=" + seed + ", trace " + trace + ": " + wrong.getMessage(),
            wrong);
      }
    }
    assertThat(decisions).isGreaterThan(TRACES * STEPS / 2);
  }

  @Test
  void everyAnswerIsThatOfTheDefinitionWhileTwoVersionsOfEveryLimitTakeTurns() {
    long seed = firstSeed();
    System.out.println("ExactModelTest versions -Dweir.seed=" + seed);
    long answers = 0;
    for (int trace = 0; trace < TRACES; trace++) {
      try (StoreTrace run = new StoreTrace(new Random(seed + trace * 7919L))) {
        run.steps(STEPS);
        answers += run.answers();
      } catch (AssertionError wrong) {
        throw new AssertionError(
            "-Dweir.seed=" + seed + ", trace " + trace + ": " + wrong.getMessage(), wrong);
      }
    }
    assertThat(answers).isGreaterThan(TRACES * STEPS / 2);
  }

  /** The log's running totals pass 2^63 here, after 2048 halves of the largest limit. */
  @Test
  void aLogCountsOnHoweverMuchHasGoneThroughIt() {
    long half = 1L << 52;
    ManualTime time = new ManualTime();
    Limit limit = Limit.slidingLog(2 * half - 1, Duration.ofSeconds(1));
    try (RateLimiter limiter = RateLimiter.builder().limit("l", limit).time(time).build()) {
      limiter.decide("key", half - 1);
      for (int i = 0; i < 5_000; i++) {
        time.advance(Duration.ofMillis(500));
        assertThat(limiter.decide("key", half - 1).remaining()).isEqualTo(1);
        limiter.refund("key", 10); // the oldest, which ends before the next
        assertThat(limiter.peek("key").remaining()).isEqualTo(11);
      }
    }
  }
}
