package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.FailurePolicy;
import dev.weir.Limit;
import dev.weir.Policy;
import dev.weir.RateLimiter;
import dev.weir.Source;
import dev.weir.StoreUnavailableException;
import dev.weir.redis.internal.connection.Topology;
import dev.weir.redis.internal.protocol.KeyNames;
import dev.weir.testkit.FaultReport;
import dev.weir.testkit.RedisCluster;
import dev.weir.testkit.RedisProcess;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** FAULTS 6, 7 and 8: slots that move under load, odd keys, and a shard that is lost. */
@Tag("slow")
final class ClusterFaultTest {
  private static final Limit MANY = Limit.fixedWindow(1_000_000, Duration.ofDays(1));
  private static final Limit MANY_IN_LOG = Limit.slidingLog(1_000_000, Duration.ofDays(1));

  private final KeyNames names = new KeyNames("default");
  private RedisCluster cluster;
  private RedisStore store;

  @BeforeEach
  void start() {
    cluster = RedisCluster.start(3);
    store = RedisStore.builder(cluster.uri()).timeout(Duration.ofSeconds(5)).build();
  }

  @AfterEach
  void stop() {
    store.close();
    cluster.close();
  }

  @Test
  void keysThatLookLikeHashTagsStayInOneSlotAndApart() {
    List<String> keys = List.of("", "}", "{", "}{", "a}b", "{}", "{a}", "{a}b");
    RateLimiter limiter =
        RateLimiter.builder()
            .name("tags")
            .limit("w", Limit.fixedWindow(2, Duration.ofDays(1)))
            .limit("l", Limit.slidingLog(2, Duration.ofDays(1)))
            .store(store)
            .build();

    keys.forEach(key -> assertThat(limiter.decide(key, 2).allowed()).as(key).isTrue());
    keys.forEach(key -> assertThat(limiter.decide(key).allowed()).as(key).isFalse());
    FaultReport.row(
        "7 keys with braces on a Cluster",
        keys.size(),
        "each its own count, window and log in one slot, no CROSSSLOT");
  }

  @Test
  void aSlotThatMovesUnderLoadLosesAndDuplicatesNothing() {
    RateLimiter limiter =
        RateLimiter.builder()
            .name("move")
            .limit("w", MANY)
            .limit("l", MANY_IN_LOG)
            .store(store)
            .build();
    AtomicBoolean moved = new AtomicBoolean();
    List<CompletableFuture<Integer>> callers =
        IntStream.range(0, 4)
            .mapToObj(i -> CompletableFuture.supplyAsync(() -> admitUntil(limiter, moved)))
            .toList();
    int slot = slotOf("hot");
    RedisProcess from = cluster.owner(slot);
    RedisProcess to = cluster.masters().get((cluster.masters().indexOf(from) + 1) % 3);
    cluster.moveSlot(slot, from, to);
    cluster.moveSlot(slot, to, from);
    moved.set(true);
    long admitted = callers.stream().mapToInt(CompletableFuture::join).sum();
    assertThat(admitted).isPositive();
    assertThat(limiter.peek("hot").outcomes())
        .extracting(outcome -> 1_000_000 - outcome.remaining())
        .containsExactly(admitted, admitted);
    FaultReport.row(
        "6 a slot moves there and back under load",
        2,
        admitted + " admitted, as many counted, none failed");
  }

  private static int admitUntil(RateLimiter limiter, AtomicBoolean moved) {
    int admitted = 0;
    while (!moved.get() || admitted < 50) {
      Decision decision = limiter.decide("hot");
      assertThat(decision.source()).isEqualTo(Source.STORE);
      admitted += decision.allowed() ? 1 : 0;
    }
    return admitted;
  }

  @Test
  void aLostShardFailsOnlyItsOwnClaims() {
    Policy policy = Policy.of("lost", "w", MANY).onStoreFailure(FailurePolicy.ERROR);
    RateLimiter limiter = RateLimiter.builder().policy(policy).store(store).build();
    List<String> keys = IntStream.range(0, 3).mapToObj(this::keyOwnedBy).toList();
    keys.forEach(key -> assertThat(limiter.decide(key).allowed()).isTrue());
    cluster.masters().get(1).kill();
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(
            () ->
                assertThatThrownBy(() -> limiter.decide(keys.get(1)))
                    .isInstanceOf(StoreUnavailableException.class));
    assertThat(limiter.decide(keys.get(0)).remaining()).isEqualTo(999_998);
    assertThat(limiter.decide(keys.get(2)).remaining()).isEqualTo(999_998);

    Policy lenient = policy.onStoreFailure(FailurePolicy.ALLOW);
    Decision both =
        limiter.decide(List.of(Claim.of(lenient, keys.get(0)), Claim.of(lenient, keys.get(1))));
    assertThat(both.allowed()).isTrue();
    assertThat(both.outcomes())
        .extracting(outcome -> outcome.source())
        .containsExactly(Source.STORE, Source.FALLBACK);

    Policy strict = policy.onStoreFailure(FailurePolicy.DENY);
    Decision denied =
        limiter.decide(List.of(Claim.of(policy, keys.get(2)), Claim.of(strict, keys.get(1))));
    assertThat(denied.allowed()).isFalse();
    assertThat(limiter.peek(keys.get(2)).remaining()).isEqualTo(999_998);
    FaultReport.row("8 one of three shards lost", 1, "its keys fail, the others answer");
  }

  private String keyOwnedBy(int master) {
    return IntStream.range(0, 10_000)
        .mapToObj(i -> "key-" + i)
        .filter(key -> cluster.owner(slotOf(key)) == cluster.masters().get(master))
        .findFirst()
        .orElseThrow();
  }

  private int slotOf(String key) {
    return Topology.clusterSlot(names.of(Claim.of(Policy.of("any", "w", MANY), key), false));
  }
}
