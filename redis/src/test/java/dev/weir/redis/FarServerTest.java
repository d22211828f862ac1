package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import dev.weir.testkit.DelayProxy;
import dev.weir.testkit.FaultReport;
import dev.weir.testkit.RedisProcess;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** FAULTS 57: a server far away, and a deadline that leaves no room for waiting. */
@Tag("slow")
@Timeout(240)
final class FarServerTest {
  private static final Duration DEADLINE = Duration.ofMillis(50);
  private static final int ROUNDS = 20;

  /**
   * Part of the calls that a busy machine may delay; if callers waited for each other's answers,
   * three of four would be late.
   */
  private static final double NOISE = 0.5;

  /** The first rounds open the threads of the callers. */
  private static final int UNCOUNTED = 10;

  @ParameterizedTest
  @CsvSource({"20, 1", "20, 200", "30, 1", "30, 50", "30, 160", "30, 200", "40, 1", "40, 200"})
  void theStoreAnswersWithinLittleMoreThanARoundTrip(int roundTripMillis, int callers) {
    Duration roundTrip = Duration.ofMillis(roundTripMillis);
    try (RedisProcess redis = RedisProcess.start();
        DelayProxy far = DelayProxy.to(redis.port(), roundTrip);
        RedisStore store =
            RedisStore.builder("redis://127.0.0.1:" + far.port())
                .timeout(Duration.ofSeconds(5))
                .build()) {
      Asking asking = Asking.about(store, Limit.fixedWindow(1_000_000, Duration.ofHours(1)));
      long[] nanos = calmest(() -> time(() -> asking.await(asking.send("key", 1)), callers));
      long[] pings = calmest(() -> pings(far, callers));
      Duration median = Duration.ofNanos(nanos[nanos.length / 2]);
      FaultReport.row(
          "57 round trip of " + roundTripMillis + " ms, " + callers + " callers, deadline 50 ms",
          nanos.length,
          "best of up to five runs; late for the deadline: %.1f %%, a bare PING %.1f %%; median %d ms"
              .formatted(100 * late(nanos), 100 * late(pings), median.toMillis()),
          Duration.ofNanos(nanos[nanos.length - 1]));
      // Against a bare PING, as a busy machine delays both; RequestBatcherTest has the exact bound.
      assertThat(late(nanos)).isLessThan(late(pings) + NOISE);
      assertThat(median).isLessThan(roundTrip.multipliedBy(3).dividedBy(2));
    }
  }

  /**
   * The first measurement with nothing late, or of five that with the fewest: the others show what
   * else ran beside it.
   */
  private static long[] calmest(Supplier<long[]> measurement) {
    long[] calmest = measurement.get();
    for (int i = 1; i < 5 && late(calmest) > 0; i++) {
      long[] next = measurement.get();
      calmest = late(next) < late(calmest) ? next : calmest;
    }
    return calmest;
  }

  private static double late(long[] nanos) {
    return (double) Arrays.stream(nanos).filter(each -> each > DEADLINE.toNanos()).count()
        / nanos.length;
  }

  /** What the way alone takes: the same callers, over one connection, without a store. */
  private static long[] pings(DelayProxy far, int callers) {
    RedisClient client = RedisClient.create("redis://127.0.0.1:" + far.port());
    try (StatefulRedisConnection<String, String> connection = client.connect()) {
      return time(() -> connection.async().ping().toCompletableFuture().join(), callers);
    } finally {
      client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    }
  }

  private static long[] time(Runnable call, int callers) {
    ExecutorService threads = Executors.newFixedThreadPool(callers);
    try {
      var timed =
          IntStream.range(0, callers)
              .mapToObj(i -> CompletableFuture.supplyAsync(() -> time(call), threads))
              .toList();
      return timed.stream().flatMapToLong(each -> Arrays.stream(each.join())).sorted().toArray();
    } finally {
      threads.shutdown();
    }
  }

  private static long[] time(Runnable call) {
    long[] nanos = new long[ROUNDS];
    for (int i = -UNCOUNTED; i < ROUNDS; i++) {
      long start = System.nanoTime();
      call.run();
      if (i >= 0) {
        nanos[i] = System.nanoTime() - start;
      }
    }
    return nanos;
  }
}
