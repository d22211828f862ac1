package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.CalendarUnit;
import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.ManualTime;
import dev.weir.MemoryStore;
import dev.weir.Policy;
import dev.weir.spi.LeaseAnswer;
import dev.weir.spi.LimitStore;
import dev.weir.spi.Operation;
import dev.weir.spi.Question;
import dev.weir.spi.Verdicts;
import dev.weir.testkit.RedisProcess;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A lease is the same as its questions one after the other, in memory and in Redis. */
final class LeaseDifferentialTest {
  private static final List<Limit> LIMITS =
      List.of(
          Limit.tokenBucket(700, Duration.ofSeconds(3)).withBurst(1000),
          Limit.tokenBucket(7, Duration.ofMillis(11)),
          Limit.fixedWindow(400, Duration.ofMillis(700)),
          Limit.fixedWindow(400, Duration.ofMillis(900)).fromFirstUse(),
          Limit.fixedWindow(90_000, CalendarUnit.DAY, ZoneId.of("Europe/Berlin")),
          Limit.slidingWindow(300, Duration.ofMillis(800)));

  private final Random random = new Random(Long.getLong("weir.seed", 1));
  private final ManualTime time = new ManualTime();

  @Test
  void takesAsManyAsFitAndSaysWhatTheLastQuestionWouldBeTold() {
    time.set(Instant.parse("2026-11-01T10:00:00Z"));
    try (RedisProcess redis = RedisProcess.start();
        LimitStore shared =
            RedisStore.builder(redis.uri())
                .timeout(Duration.ofSeconds(30))
                .connectTimeout(Duration.ofSeconds(30))
                .clientTime(time)
                .build();
        LimitStore memory = MemoryStore.builder().time(time).build();
        LimitStore oneByOne = MemoryStore.builder().time(time).build()) {
      int granted = 0;
      for (int step = 0; step < 3_000; step++) {
        time.advanceMicros(random.nextInt(40_000));
        Question question = new Question(Operation.ACQUIRE, claims());
        int times = 1 + random.nextInt(120);
        LeaseAnswer expected = oneByOne(oneByOne, question, times);
        assertThat(memory.lease(question, times).toCompletableFuture().join())
            .as("step %s: %s times %s", step, times, question)
            .isEqualTo(expected);
        assertThat(shared.lease(question, times).toCompletableFuture().join())
            .as("step %s: %s times %s", step, times, question)
            .isEqualTo(expected);
        granted += expected.granted();
      }
      assertThat(granted).isPositive();
    }
  }

  private List<Claim> claims() {
    List<Claim> claims = new ArrayList<>();
    for (int i = random.nextInt(LIMITS.size()); i < LIMITS.size(); i += 1 + random.nextInt(6)) {
      claims.add(new Claim(Policy.of("rule", "limit-" + i, LIMITS.get(i)), "key", 1 + i % 2));
    }
    return claims;
  }

  private static LeaseAnswer oneByOne(LimitStore store, Question question, int times) {
    for (int granted = 0; ; granted++) {
      Verdicts verdicts = store.decide(question).toCompletableFuture().join();
      if (!verdicts.allowed() || granted + 1 == times) {
        return new LeaseAnswer(granted + (verdicts.allowed() ? 1 : 0), verdicts);
      }
    }
  }
}
