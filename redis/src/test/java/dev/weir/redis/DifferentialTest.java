package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.ManualTime;
import dev.weir.MemoryStore;
import dev.weir.Receipt;
import dev.weir.spi.LimitStore;
import dev.weir.spi.Operation;
import dev.weir.spi.Question;
import dev.weir.spi.Verdicts;
import dev.weir.testkit.RedisCluster;
import dev.weir.testkit.RedisProcess;
import dev.weir.testkit.RedisSentinels;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/**
 * Java and Lua agree on every decision: the same random traces through both stores, with the same
 * clock, give the same answers in every field. The long form is {@code mvn -B verify -pl redis -am
 * -Dtest=DifferentialTest -Dsurefire.failIfNoSpecifiedTests=false -Dweir.steps=1000000}.
 */
final class DifferentialTest {
  private static final int STEPS_PER_EPISODE = 1000;

  private final long seed = Long.getLong("weir.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final int steps = Integer.getInteger("weir.steps", 30_000);

  private ManualTime time = new ManualTime();
  private String trail = "";

  @Test
  void memoryAndRedisGiveTheSameAnswers() {
    try (RedisProcess redis = RedisProcess.start()) {
      compare(redis.uri(), steps, true);
    }
  }

  /**
   * Here a question's keys lie in several slots, and what one of them took may be given back.
   * Limits do not change: a give-back leaves a bucket without what a lowered capacity had hidden in
   * it.
   */
  @Test
  void memoryAndAClusterGiveTheSameAnswers() {
    try (RedisCluster cluster = RedisCluster.start(3)) {
      compare(cluster.uri(), steps / 3, false);
    }
  }

  @Test
  void memoryAndTheMasterOfSentinelsGiveTheSameAnswers() {
    try (RedisSentinels sentinels = RedisSentinels.start()) {
      compare(sentinels.uri(), steps / 6, true);
    }
  }

  private void compare(String uri, int count, boolean limitsChange) {
    System.out.println("seed " + seed + ", " + count + " steps");
    for (int done = 0; done < count; done += STEPS_PER_EPISODE) {
      episode(uri, done, limitsChange);
    }
  }

  private void episode(String uri, int done, boolean limitsChange) {
    time = new ManualTime();
    time.set(Instant.ofEpochSecond(random.nextLong(2_000_000_000L)));
    Traces traces = new Traces(random, "episode-" + done, limitsChange);
    try (LimitStore memory = MemoryStore.builder().time(time).build();
        LimitStore shared =
            RedisStore.builder(uri).timeout(Duration.ofSeconds(30)).clientTime(time).build()) {
      List<Receipt> receipts = new ArrayList<>();
      for (int step = 0; step < STEPS_PER_EPISODE; step++) {
        time.advanceMicros(traces.stepMicros());
        trail = "seed " + seed + ", step " + (done + step);
        step(memory, shared, traces, receipts);
      }
    }
  }

  private void step(LimitStore memory, LimitStore shared, Traces traces, List<Receipt> receipts) {
    switch (random.nextInt(20)) {
      case 0 -> {
        var claims = traces.claims();
        await(memory.reset(claims));
        await(shared.reset(claims));
      }
      case 1 -> refund(memory, shared, Receipt.undated(traces.claims()));
      case 2 -> {
        if (!receipts.isEmpty()) {
          refund(memory, shared, receipts.remove(random.nextInt(receipts.size())));
        }
      }
      default -> decide(memory, shared, traces.question(), receipts);
    }
  }

  private void refund(LimitStore memory, LimitStore shared, Receipt receipt) {
    assertThat(await(shared.refund(receipt)))
        .as("%s: refund %s", trail, receipt)
        .isEqualTo(await(memory.refund(receipt)));
  }

  private void decide(
      LimitStore memory, LimitStore shared, Question question, List<Receipt> receipts) {
    Verdicts expected = await(memory.decide(question));
    assertThat(await(shared.decide(question)))
        .as("%s: %s at %d", trail, question, time.nowMicros())
        .isEqualTo(expected);
    if (expected.allowed() && question.operation() == Operation.ACQUIRE && random.nextInt(4) == 0) {
      receipts.add(Receipt.granted(question.claims(), time.nowMicros()));
    }
  }

  private static <T> T await(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }
}
