package dev.weir.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Random traces, answered by the limiter and by the models; {@code -Dweir.seed} repeats a run. */
final class ExactModelTest {
  private static final int TRACES = 1_500;
  private static final int STEPS = 120;

  private static long firstSeed() {
    return Long.getLong("weir.seed", System.nanoTime() & 0xffff_ffffL);
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
}
