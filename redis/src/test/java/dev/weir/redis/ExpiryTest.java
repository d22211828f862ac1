package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.ManualTime;
import dev.weir.Policy;
import dev.weir.Receipt;
import dev.weir.redis.internal.protocol.KeyNames;
import dev.weir.spi.Operation;
import dev.weir.spi.Question;
import dev.weir.spi.Verdicts;
import dev.weir.testkit.RedisProcess;
import dev.weir.testkit.RedisServers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** FAULTS 31: every key has a TTL, long enough for what it holds, and ends. */
@Timeout(120)
final class ExpiryTest {
  @RegisterExtension static final RedisServers SERVERS = RedisServers.embedded();

  private static final long SEED = 20261101;

  private static RedisProcess redis;
  private static Admin admin;
  private RedisStore store;

  @BeforeAll
  static void start() {
    redis = SERVERS.redis();
    admin = Admin.of(redis);
  }

  @AfterAll
  static void stop() {
    admin.close();
  }

  @BeforeEach
  void open() {
    admin.redis.flushall();
    store = RedisStore.builder(redis.uri()).timeout(Duration.ofSeconds(5)).build();
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void everyKeyLivesAtLeastUntilItIsFreshAndNotForEver() {
    Random random = new Random(SEED);
    List<Policy> policies = policies();
    List<Verdicts> grants = new ArrayList<>();
    Asking asking = new Asking(store, policies.get(0));
    for (int i = 0; i < 4000; i++) {
      Policy policy = policies.get(random.nextInt(policies.size()));
      Claim claim = new Claim(policy, "key-" + random.nextInt(20), random.nextInt(4));
      Verdicts verdicts = asking.await(step(random.nextInt(10), claim, grants));
      if (verdicts.allowed()) {
        grants.add(verdicts);
      }
      long resetMillis = verdicts.each().get(0).resetAfterMicros() / 1000;
      long ttl = admin.redis.pttl(nameOf(claim));
      assertThat(resetMillis == 0 || ttl >= resetMillis - 1000)
          .as("step %d of %d: %s has a TTL of %d ms, fresh in %d", i, SEED, claim, ttl, resetMillis)
          .isTrue();
    }
    assertThat(admin.keys()).isNotEmpty().allSatisfy(key -> assertThat(ttl(key)).isPositive());
  }

  @Test
  void keysVanish() {
    Asking.limits(5, Duration.ofMillis(50))
        .filter(limit -> !Asking.nameOf(limit).equals("Calendar"))
        .forEach(limit -> Asking.about(store, limit).take("key-" + Asking.nameOf(limit), 1));
    assertThat(admin.keys()).hasSize(5);
    await().atMost(Duration.ofSeconds(20)).until(() -> admin.keys().isEmpty());
  }

  @Test
  void aShortLimitLeavesTheTtlOfALongOneOfTheSameKeyAlone() {
    try (RedisStore byClient =
        RedisStore.builder(redis.uri()).clientTime(new ManualTime()).build()) {
      Policy year = Policy.of("rule", "year", Limit.fixedWindow(5, Duration.ofDays(365)));
      Policy second = Policy.of("rule", "second", Limit.tokenBucket(5, Duration.ofSeconds(1)));
      long needMicros = new Asking(byClient, year).take("key", 1).resetAfterMicros();
      new Asking(byClient, second).take("key", 1);
      assertThat(admin.redis.pttl(nameOf(Claim.of(year, "key")))).isGreaterThan(needMicros / 1000);
    }
  }

  /** On the server's clock nothing stands still, so what is asked may have ended by the look. */
  private CompletionStage<Verdicts> step(int kind, Claim claim, List<Verdicts> grants) {
    List<Claim> claims = List.of(claim);
    if (kind == 0) {
      return store.decide(new Question(Operation.CHARGE, claims));
    }
    if (kind == 1) {
      return store.refund(Receipt.undated(claims));
    }
    if (kind == 2 && !grants.isEmpty()) {
      return store.refund(
          Receipt.granted(claims, grants.get(grants.size() - 1).each().get(0).atMicros()));
    }
    return store.decide(new Question(kind == 3 ? Operation.PEEK : Operation.ACQUIRE, claims));
  }

  private static List<Policy> policies() {
    List<Policy> policies = new ArrayList<>();
    for (Duration period :
        List.of(Duration.ofSeconds(2), Duration.ofMinutes(10), Duration.ofDays(400))) {
      Asking.limits(10, period)
          .forEach(limit -> policies.add(Policy.of("rule", Asking.nameOf(limit) + period, limit)));
    }
    return policies;
  }

  private static long ttl(String key) {
    long ttl = admin.redis.pttl(key);
    return ttl == -2 ? 1 : ttl; // gone since it was listed
  }

  private static String nameOf(Claim claim) {
    return new KeyNames("default").of(claim, claim.policy().limit() instanceof Limit.SlidingLog);
  }
}
