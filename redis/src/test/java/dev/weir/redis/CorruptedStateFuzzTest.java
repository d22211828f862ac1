package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.ManualTime;
import dev.weir.Policy;
import dev.weir.StoreUnavailableException;
import dev.weir.redis.internal.protocol.KeyNames;
import dev.weir.redis.internal.script.OneCall;
import dev.weir.spi.Operation;
import dev.weir.spi.Question;
import dev.weir.spi.Verdict;
import dev.weir.spi.Verdicts;
import dev.weir.testkit.FaultReport;
import dev.weir.testkit.RedisProcess;
import dev.weir.testkit.RedisServers;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScoredValue;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * FAULTS 76: what lies under a key of ours is damaged. {@code -Dweir.fuzz-seconds} goes on for so
 * long from a new seed, {@code -Dweir.seed} repeats a run.
 */
@Tag("slow")
final class CorruptedStateFuzzTest {
  @RegisterExtension static final RedisServers SERVERS = RedisServers.embedded();

  private static final int ROUNDS = 1_500;
  private static final int CAPACITY = 5;
  private static final Duration DAY = Duration.ofDays(1);

  private final Long seconds = Long.getLong("weir.fuzz-seconds");
  private final long seed = Long.getLong("weir.seed", seconds == null ? 1 : System.nanoTime());
  private final Random random = new Random(seed);
  private final ManualTime time = new ManualTime();
  private final List<Limit> limits = Asking.limits(CAPACITY, DAY).toList();

  private RedisProcess redis;
  private RedisClient client;
  private RedisCommands<byte[], byte[]> raw;
  private OneCall call;

  @BeforeEach
  void open() {
    System.out.println("CorruptedStateFuzzTest -Dweir.seed=" + seed);
    time.set(Instant.parse("2026-11-01T10:00:00Z"));
    redis = SERVERS.redis();
    client = RedisClient.create(RedisURI.create(redis.uri()));
    raw = client.connect(ByteArrayCodec.INSTANCE).sync();
    call = new OneCall(RedisStore.builder(redis.uri()).settings(), time, time);
  }

  @AfterEach
  void close() {
    call.close();
    client.shutdown();
  }

  @Test
  void aDamagedValueFailsItsOwnQuestionOrCountsWithinTheLimit() {
    int failed = 0;
    int round = 0;
    long end = System.nanoTime() + Duration.ofSeconds(seconds == null ? 0 : seconds).toNanos();
    for (; round < ROUNDS || System.nanoTime() - end < 0; round++) {
      Limit limit = limits.get(random.nextInt(limits.size()));
      Claim damaged = Claim.of(policy(limit), "damaged-" + round);
      Claim healthy = Claim.of(policy(limits.get(random.nextInt(limits.size()))), "ok-" + round);
      for (int taken = 1 + random.nextInt(CAPACITY); taken > 0; taken--) {
        ask(Operation.ACQUIRE, damaged).join();
        time.advanceMicros(random.nextInt(2));
      }
      damage(damaged);
      failed += answersWithin(damaged, healthy, "seed " + seed + ", round " + round) ? 0 : 1;
    }
    assertThat(failed).isBetween(round / 20, round - 1);
    FaultReport.row(
        "76 damaged value under a key of ours",
        round,
        failed + " refused as not ours, the rest within the limit; others of the call exact");
  }

  /** Whether the damaged key was answered at all; the others of its calls are, exactly. */
  private boolean answersWithin(Claim damaged, Claim healthy, String trail) {
    int admitted = 0;
    boolean answered = true;
    Claim other = otherVersionOf(damaged);
    for (int i = 0; i < 2 * CAPACITY; i++) {
      Operation operation = i % 3 == 1 ? Operation.PEEK : Operation.ACQUIRE;
      List<CompletableFuture<Verdicts>> answers =
          call.decide(
              List.of(
                  new Question(operation, List.of(damaged)),
                  new Question(Operation.ACQUIRE, List.of(healthy)),
                  new Question(Operation.PEEK, List.of(other))));
      Verdict exact = answers.get(1).join().each().get(0);
      assertThat(exact.remaining()).as(trail).isEqualTo(Math.max(0, CAPACITY - 1 - i));
      Verdict verdict = verdictOf(answers.get(0), trail);
      verdictOf(answers.get(2), trail);
      answered &= verdict != null;
      if (verdict != null) {
        assertThat(verdict.remaining()).as(trail).isBetween(0L, (long) CAPACITY);
        admitted += verdict.fits() && operation == Operation.ACQUIRE ? 1 : 0;
      }
    }
    assertThat(admitted).as(trail).isLessThanOrEqualTo(CAPACITY);
    return answered;
  }

  /** Null if the question failed as it should. */
  private static Verdict verdictOf(CompletableFuture<Verdicts> answer, String trail) {
    try {
      return answer.join().each().get(0);
    } catch (CompletionException failed) {
      assertThat(failed.getCause())
          .as(trail)
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessageContaining("holds data that is not ours");
      return null;
    }
  }

  private CompletableFuture<Verdicts> ask(Operation operation, Claim claim) {
    return call.decide(List.of(new Question(operation, List.of(claim)))).get(0);
  }

  /** The same state under another version of its limit, which has to convert it. */
  private static Claim otherVersionOf(Claim claim) {
    Policy policy = claim.policy();
    boolean log = policy.limit() instanceof Limit.SlidingLog;
    Limit limit =
        log
            ? Limit.slidingLog(CAPACITY, DAY.multipliedBy(2))
            : Limit.tokenBucket(CAPACITY, DAY.multipliedBy(3));
    return Claim.of(Policy.of(policy.rule(), policy.name(), limit), claim.key());
  }

  private void damage(Claim claim) {
    boolean log = claim.policy().limit() instanceof Limit.SlidingLog;
    byte[] key = new KeyNames("default").of(claim, log).getBytes(StandardCharsets.US_ASCII);
    if (random.nextInt(10) == 0) {
      raw.del(key);
      raw.lpush(key, key);
    } else if (log) {
      damageLog(key);
    } else {
      raw.set(key, damaged(raw.get(key)));
    }
  }

  private void damageLog(byte[] key) {
    List<ScoredValue<byte[]>> members = raw.zrangeWithScores(key, 0, -1);
    ScoredValue<byte[]> chosen = members.get(random.nextInt(members.size()));
    switch (random.nextInt(5)) {
      case 0 -> raw.zadd(key, chosen.getScore(), "malformed".getBytes(StandardCharsets.US_ASCII));
      case 1 -> raw.zadd(key, chosen.getScore() + random.nextInt(9) - 4, chosen.getValue());
      case 2 -> raw.zadd(key, random.nextBoolean() ? Double.MAX_VALUE : -0.5, chosen.getValue());
      default -> {
        raw.zrem(key, chosen.getValue());
        raw.zadd(key, chosen.getScore(), damaged(chosen.getValue()));
      }
    }
  }

  /** With one byte lost, added or changed. */
  private byte[] damaged(byte[] value) {
    int at = random.nextInt(value.length);
    ByteBuffer out = ByteBuffer.allocate(value.length + 1).put(value, 0, at);
    switch (random.nextInt(4)) {
      case 0 -> {}
      case 1 -> out.put((byte) random.nextInt()).put(value[at]);
      default -> out.put((byte) random.nextInt());
    }
    out.put(value, at + 1, value.length - at - 1);
    return Arrays.copyOf(out.array(), out.position());
  }

  private static Policy policy(Limit limit) {
    return Policy.of("rule", Asking.nameOf(limit), limit);
  }
}
