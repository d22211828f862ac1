package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import dev.weir.testkit.DelayProxy;
import dev.weir.testkit.RedisProcess;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** FAULTS 57: a server far away, and a deadline that leaves no room for waiting. */
@Tag("slow")
@Timeout(120)
final class FarServerTest {
  private static final Duration DEADLINE = Duration.ofMillis(50);
  private static final int ROUNDS = 40;

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
      long[] nanos = ask(store, callers);
      long late = Arrays.stream(nanos).filter(each -> each > DEADLINE.toNanos()).count();
      Duration median = Duration.ofNanos(nanos[nanos.length / 2]);
      FaultReport.row(
          "57 round trip of " + roundTripMillis + " ms, " + callers + " callers, deadline 50 ms",
          nanos.length,
          late + " too late for the deadline, half of all within " + median.toMillis() + " ms",
          Duration.ofNanos(nanos[nanos.length - 1]));
      // Loose, for machines that do something else as well; RequestBatcherTest has the exact bound.
      assertThat(median).isLessThan(roundTrip.plusMillis(10));
    }
  }

  private static long[] ask(RedisStore store, int callers) {
    ExecutorService threads = Executors.newFixedThreadPool(callers);
    try {
      var asked =
          IntStream.range(0, callers)
              .mapToObj(i -> CompletableFuture.supplyAsync(() -> ask(store), threads))
              .toList();
      return asked.stream().flatMapToLong(each -> Arrays.stream(each.join())).sorted().toArray();
    } finally {
      threads.shutdown();
    }
  }

  private static long[] ask(RedisStore store) {
    Asking asking = Asking.about(store, Limit.fixedWindow(1_000_000, Duration.ofHours(1)));
    long[] nanos = new long[ROUNDS];
    for (int i = -UNCOUNTED; i < ROUNDS; i++) {
      long start = System.nanoTime();
      asking.take("key", 1);
      if (i >= 0) {
        nanos[i] = System.nanoTime() - start;
      }
    }
    return nanos;
  }
}
