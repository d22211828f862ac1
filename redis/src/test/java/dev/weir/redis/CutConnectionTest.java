package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.Limit;
import dev.weir.StoreUnavailableException;
import dev.weir.spi.Verdicts;
import dev.weir.testkit.FaultProxy;
import dev.weir.testkit.FaultReport;
import dev.weir.testkit.RedisProcess;
import dev.weir.testkit.RedisServers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** FAULTS 10 and 11: the connection breaks between a question and its answer. */
@Tag("slow")
@Timeout(120)
final class CutConnectionTest {
  private static final long PERMITS = 1_000_000;
  private static final Duration DAY = Duration.ofDays(1);

  /** Long, so that a call that hung instead of failing would show. */
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  @RegisterExtension static final RedisServers SERVERS = RedisServers.embedded();

  private final RedisProcess redis = SERVERS.redis();
  private FaultProxy proxy;
  private RedisStore store;
  private RedisStore direct;

  @BeforeEach
  void open() {
    proxy = FaultProxy.to(redis.port());
    store =
        RedisStore.builder("redis://127.0.0.1:" + proxy.port())
            .timeout(TIMEOUT)
            .connectTimeout(TIMEOUT)
            .build();
    direct = RedisStore.builder(redis.uri()).timeout(TIMEOUT).build();
  }

  @AfterEach
  void close() {
    store.close();
    direct.close();
    proxy.close();
  }

  static Stream<Limit> limits() {
    return Asking.limits(PERMITS, Duration.ofDays(400));
  }

  @ParameterizedTest
  @MethodSource("limits")
  void aCallWhoseReplyIsCutOffFailsAndIsCountedOnce(Limit limit) {
    Asking asking = Asking.about(store, limit);
    Asking witness = Asking.about(direct, limit);
    for (int i = 0; i < 3; i++) {
      String key = "key-" + i;
      awaitConnection(asking);
      proxy.dropNextReply();
      assertThat(asking.failureOfTake(key)).hasMessageContaining("127.0.0.1:" + proxy.port());
      awaitConnection(asking);
      assertThat(witness.peek(key, 1).remaining()).isEqualTo(PERMITS - 1);
    }
    assertThat(asking.longest()).isLessThan(TIMEOUT);
    FaultReport.row(
        "10 reply dropped, then RST (" + Asking.nameOf(limit) + ")",
        3,
        "fails at the cut, counted once each",
        asking.longest());
  }

  @Test
  void aReplyCutInTheMiddleReachesNobody() {
    Asking asking = Asking.about(store, Limit.slidingLog(PERMITS, DAY));
    Asking witness = Asking.about(direct, Limit.slidingLog(PERMITS, DAY));
    for (int bytes = 1; bytes <= 40; bytes += 3) {
      awaitConnection(asking);
      String key = "key-" + bytes;
      proxy.cutNextReplyAfter(bytes);
      assertThat(asking.failureOfTake(key)).isNotNull();
      awaitConnection(asking);
      assertThat(witness.peek(key, 1).remaining()).isEqualTo(PERMITS - 1);
      assertThat(asking.take("next-" + bytes, bytes).remaining()).isEqualTo(PERMITS - bytes);
    }
    FaultReport.row(
        "11 cut in the middle of a reply, after 1 to 40 bytes",
        14,
        "fails at the cut, counted once, the next answer is its own",
        asking.longest());
  }

  @Test
  void noCallUnderWayAtACutIsLostOrRepeatedOrAnsweredForAnother() {
    Asking asking = Asking.about(store, Limit.slidingLog(PERMITS, DAY));
    Asking witness = Asking.about(direct, Limit.slidingLog(PERMITS, DAY));
    int failed = 0;
    for (int round = 0; round < 8; round++) {
      awaitConnection(asking);
      proxy.cutNextReplyAfter(100 + 37 * round);
      List<CompletableFuture<Verdicts>> calls = new ArrayList<>();
      for (int i = 1; i <= 200; i++) {
        calls.add(asking.send(round + "-" + i, i));
      }
      List<Integer> lost = new ArrayList<>();
      for (int i = 1; i <= 200; i++) {
        if (!answered(calls.get(i - 1), i)) {
          lost.add(i);
        }
      }
      assertThat(lost).isNotEmpty();
      failed += lost.size();
      awaitConnection(asking);
      for (int i : lost) {
        assertThat(PERMITS - witness.peek(round + "-" + i, 1).remaining()).isIn(0L, (long) i);
      }
    }
    FaultReport.row(
        "10, 11 cut with 200 calls under way",
        8,
        failed + " of 1600 calls failed, none counted twice, none mistaken",
        asking.longest());
  }

  @Test
  void callsWhileThereIsNoConnectionFailAtOnceAndAreNeverSent() {
    Asking asking = Asking.about(store, Limit.slidingLog(PERMITS, DAY));
    asking.take("warm", 1);
    proxy.refuse();
    proxy.cut();
    await().atMost(TIMEOUT).until(() -> proxy.refusals() > 0);
    Asking down = Asking.about(store, Limit.slidingLog(PERMITS, DAY));
    for (int i = 0; i < 100; i++) {
      assertThat(down.failureOfTake("down")).isNotNull();
    }
    assertThat(down.longest()).isLessThan(Duration.ofMillis(500));
    proxy.pass();
    awaitConnection(asking);
    assertThat(asking.peek("down", 1).remaining()).isEqualTo(PERMITS);
    FaultReport.row(
        "2 calls while down, then back", 100, "fail at once, none sent later", down.longest());
  }

  private static void awaitConnection(Asking asking) {
    await()
        .atMost(Duration.ofSeconds(15))
        .ignoreException(StoreUnavailableException.class)
        .until(() -> asking.peek("probe", 1).fits());
  }

  private static boolean answered(CompletableFuture<Verdicts> call, int permits) {
    try {
      assertThat(call.join().each().get(0).remaining()).isEqualTo(PERMITS - permits);
      return true;
    } catch (CompletionException failed) {
      assertThat(failed).hasCauseInstanceOf(StoreUnavailableException.class);
      return false;
    }
  }
}
