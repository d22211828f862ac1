package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.Receipt;
import dev.weir.spi.Verdicts;
import dev.weir.testkit.FaultReport;
import dev.weir.testkit.RedisProcess;
import dev.weir.testkit.RedisServers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is left of a store after its end: nothing. */
@Timeout(60)
final class CloseTest {
  private static final Limit LIMIT = Limit.slidingLog(1_000_000, Duration.ofDays(1));

  @RegisterExtension static final RedisServers SERVERS = RedisServers.embedded();

  private final RedisProcess redis = SERVERS.redis();

  @Test
  void callsUnderWayEndWithTheStoreAndDoNotHang() {
    RedisStore store = RedisStore.builder(redis.uri()).timeout(Duration.ofSeconds(30)).build();
    Asking asking = Asking.about(store, LIMIT);
    asking.take("key", 1);
    redis.suspend();
    List<CompletableFuture<Verdicts>> calls = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      calls.add(asking.send("key", 1));
    }
    store.close();
    for (CompletableFuture<Verdicts> call : calls) {
      assertThat(asking.failure(() -> asking.await(call))).isNotNull();
    }
    assertThat(asking.longest()).isLessThan(Duration.ofSeconds(10));
    redis.resume();
  }

  @Test
  void aClosedStoreRefusesEveryCall() {
    RedisStore store = RedisStore.connect(redis.uri());
    Asking asking = Asking.about(store, LIMIT);
    Receipt receipt = Receipt.granted(List.of(Claim.of(asking.policy, "key")), 1);
    store.close();
    Stream.<ThrowingCallable>of(
            () -> asking.take("key", 1),
            () -> asking.peek("key", 1),
            () -> store.refund(receipt),
            () -> asking.reset("key"),
            () -> store.texts().get("name"),
            () -> store.texts().put("name", "text"),
            store::instances)
        .forEach(
            call ->
                assertThatThrownBy(call)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("the store is closed"));
    store.close();
    FaultReport.row("65 use after close", 7, "IllegalStateException, every call");
  }

  @Test
  void aStoreThatNeverFoundItsServerCanBeClosed() {
    RedisStore store = RedisStore.builder("redis://127.0.0.1:1").startWithoutServer().build();
    store.close();
    assertThatThrownBy(() -> Asking.about(store, LIMIT).take("key", 1))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void noThreadOutlivesAStore() {
    Set<Thread> before = threads();
    for (int i = 0; i < 5; i++) {
      try (RedisStore store =
          RedisStore.builder(redis.uri()).timeout(Duration.ofSeconds(5)).build()) {
        Asking.about(store, LIMIT).take("key", 1);
      }
    }
    await()
        .atMost(Duration.ofSeconds(15))
        .untilAsserted(
            () -> {
              Set<Thread> left = threads();
              left.removeAll(before);
              assertThat(left).isEmpty();
            });
  }

  @Test
  void noConnectionOutlivesAStore() {
    try (Admin admin = Admin.of(redis)) {
      long before = admin.redis.clientList().lines().count();
      for (int i = 0; i < 5; i++) {
        RedisStore.builder(redis.uri()).timeout(Duration.ofSeconds(5)).build().close();
      }
      await().until(() -> admin.redis.clientList().lines().count() <= before);
    }
  }

  /** Threads of the client and of Weir; the JVM's own pools come and go. */
  private static Set<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().matches("(lettuce|weir|globalEvent|fault).*"))
        .filter(thread -> !thread.getName().startsWith("globalEventExecutor"))
        .collect(Collectors.toSet());
  }
}
