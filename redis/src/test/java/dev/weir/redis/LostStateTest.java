package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.Limit;
import dev.weir.StoreUnavailableException;
import dev.weir.spi.Verdicts;
import dev.weir.testkit.FaultReport;
import dev.weir.testkit.RedisProcess;
import dev.weir.testkit.RedisServers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** FAULTS 3 and 4: the server forgets counters, or scripts. */
@Timeout(120)
final class LostStateTest {
  private static final Duration PERIOD = Duration.ofDays(400);

  @RegisterExtension static final RedisServers SERVERS = RedisServers.embedded();

  private final RedisProcess redis = SERVERS.redis();
  private RedisStore store;

  @BeforeEach
  void open() {
    store = RedisStore.builder(redis.uri()).timeout(Duration.ofSeconds(5)).build();
  }

  @AfterEach
  void close() {
    store.close();
  }

  static Stream<Limit> limitsOfFive() {
    return Asking.limits(5, PERIOD);
  }

  @ParameterizedTest
  @MethodSource("limitsOfFive")
  void aRestartWithoutDataCostsOneMoreBurstAndNoMore(Limit limit) {
    Asking asking = Asking.about(store, limit);
    assertThat(admittedOf(asking, 20)).isEqualTo(5);
    redis.restart();
    await()
        .atMost(Duration.ofSeconds(15))
        .ignoreException(StoreUnavailableException.class)
        .until(() -> asking.peek("key", 1).fits());
    assertThat(admittedOf(asking, 20)).isEqualTo(5);
    FaultReport.row(
        "3 restarted empty (" + Asking.nameOf(limit) + ")",
        1,
        "10 of 40 admitted; bound 10",
        asking.longest());
  }

  @ParameterizedTest
  @MethodSource("limitsOfFive")
  void aFlushCostsOneMoreBurstAndNoMore(Limit limit) {
    Asking asking = Asking.about(store, limit);
    assertThat(admittedOf(asking, 20)).isEqualTo(5);
    redis.command("FLUSHALL");
    assertThat(admittedOf(asking, 20)).isEqualTo(5);
    FaultReport.row(
        "3 FLUSHALL (" + Asking.nameOf(limit) + ")",
        1,
        "10 of 40 admitted; bound 10",
        asking.longest());
  }

  @ParameterizedTest
  @MethodSource("limitsOfFive")
  void aForgottenScriptIsGivenAgainInsideTheCallAndCountsOnce(Limit limit) {
    Asking asking = Asking.about(store, limit);
    for (int i = 1; i <= 5; i++) {
      assertThat(redis.command("SCRIPT", "FLUSH")).isEqualTo("+OK");
      assertThat(asking.take("key", 1).remaining()).isEqualTo(5 - i);
    }
    redis.command("SCRIPT", "FLUSH");
    assertThat(asking.take("key", 1).fits()).isFalse();
    redis.command("SCRIPT", "FLUSH");
    assertThat(asking.refund("key", 2).remaining()).isEqualTo(2);
    redis.command("SCRIPT", "FLUSH");
    asking.reset("key");
    assertThat(asking.peek("key", 5).fits()).isTrue();
    FaultReport.row(
        "4 SCRIPT FLUSH (" + Asking.nameOf(limit) + ")",
        8,
        "answered in the same call, counted once",
        asking.longest());
  }

  @Test
  void scriptsForgottenUnderLoadLoseAndRepeatNoCall() {
    Asking asking = Asking.about(store, Limit.slidingLog(1_000_000, PERIOD));
    List<CompletableFuture<Verdicts>> calls = new ArrayList<>();
    for (int i = 0; i < 5000; i++) {
      if (i % 250 == 0) {
        redis.command("SCRIPT", "FLUSH");
      }
      calls.add(asking.send("key", 1));
    }
    calls.forEach(asking::await);
    assertThat(asking.peek("key", 1).remaining()).isEqualTo(1_000_000 - 5000);
    FaultReport.row(
        "4 SCRIPT FLUSH, 20 times in 5000 pipelined calls",
        20,
        "all answered, each counted once",
        asking.longest());
  }

  private static int admittedOf(Asking asking, int attempts) {
    int admitted = 0;
    for (int i = 0; i < attempts; i++) {
      admitted += asking.take("key", 1).fits() ? 1 : 0;
    }
    return admitted;
  }
}
