package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.RateLimiter;
import dev.weir.Source;
import dev.weir.testkit.FaultReport;
import dev.weir.testkit.RedisCluster;
import dev.weir.testkit.RedisProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * On a Cluster, questions about different keys of one server share calls. Servers check differently
 * which keys a script may use, so it is tried on each.
 */
abstract class SharedCallsContract {
  private static final Pattern CALLS = Pattern.compile("cmdstat_evalsha:calls=(\\d+)");
  private static final Limit LIMIT = Limit.fixedWindow(30, Duration.ofDays(1));

  private RedisCluster cluster;
  private RedisStore store;

  /** The server to start. */
  abstract Path server();

  /** Its name, for the fault report. */
  abstract String serverName();

  @BeforeEach
  void start() {
    cluster = RedisCluster.start(server(), 3);
    store = RedisStore.builder(cluster.uri()).timeout(Duration.ofSeconds(10)).build();
  }

  @AfterEach
  void stop() {
    if (cluster != null) { // or the server is not installed, and the test is skipped
      store.close();
      cluster.close();
    }
  }

  @Test
  void keysOfOneServerShareCalls() {
    RateLimiter limiter = limiter("share", Limit.fixedWindow(2, Duration.ofDays(1)));
    List<String> keys = IntStream.range(0, 600).mapToObj(i -> "key-" + i).toList();
    cluster.masters().forEach(master -> master.command("CONFIG", "RESETSTAT"));

    assertThat(allowed(limiter, keys)).isEqualTo(600);
    assertThat(allowed(limiter, keys)).isEqualTo(600);
    assertThat(allowed(limiter, keys)).isZero();

    assertThat(cluster.masters().stream().mapToLong(SharedCallsContract::calls).sum())
        .isLessThan(3 * 600 / 4);
  }

  private static long allowed(RateLimiter limiter, List<String> keys) {
    return keys.stream()
        .map(key -> limiter.async().decide(key).toCompletableFuture())
        .toList()
        .stream()
        .map(CompletableFuture::join)
        .filter(Decision::allowed)
        .count();
  }

  private static long calls(RedisProcess master) {
    Matcher calls = CALLS.matcher(master.command("INFO", "commandstats"));
    return calls.find() ? Long.parseLong(calls.group(1)) : 0;
  }

  /**
   * A call may name a key whose slot has moved since, or is moving: that question alone is sent
   * again, to the server that has the key now.
   */
  @Test
  void slotsThatMoveWhileTheirKeysShareCallsLoseAndDuplicateNothing() {
    RateLimiter limiter = limiter("move", LIMIT);
    RedisProcess from = cluster.masters().get(0);
    RedisProcess to = cluster.masters().get(1);
    List<String> keys = ShardKeys.of(cluster, from, 40);
    AtomicBoolean moved = new AtomicBoolean();
    List<CompletableFuture<Long>> callers =
        IntStream.range(0, 8)
            .mapToObj(i -> CompletableFuture.supplyAsync(() -> admitUntil(limiter, keys, moved)))
            .toList();

    keys.subList(0, 6).forEach(key -> cluster.moveSlot(ShardKeys.slot(key), from, to));
    moved.set(true);

    long admitted = callers.stream().mapToLong(CompletableFuture::join).sum();
    assertThat(admitted).isEqualTo(keys.size() * LIMIT.capacity());
    keys.forEach(key -> assertThat(limiter.peek(key).remaining()).as(key).isZero());
    FaultReport.row(
        "6 slots move while their keys share calls with others, " + serverName(),
        6,
        admitted + " admitted of " + admitted + ", none failed");
  }

  /** Asks for all keys at once, until the slots have moved and nothing is left. */
  private static long admitUntil(RateLimiter limiter, List<String> keys, AtomicBoolean moved) {
    long admitted = 0;
    for (long last = 1; last > 0 || !moved.get(); ) {
      List<CompletableFuture<Decision>> asked =
          keys.stream().map(key -> limiter.async().decide(key).toCompletableFuture()).toList();
      assertThat(asked).allSatisfy(a -> assertThat(a.join().source()).isEqualTo(Source.STORE));
      last = asked.stream().filter(answer -> answer.join().allowed()).count();
      admitted += last;
    }
    return admitted;
  }

  private RateLimiter limiter(String name, Limit limit) {
    return RateLimiter.builder().name(name).limit("window", limit).store(store).build();
  }
}
