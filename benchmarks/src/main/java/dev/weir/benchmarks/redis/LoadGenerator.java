package dev.weir.benchmarks.redis;

import dev.weir.benchmarks.redis.client.LimiterClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Runs many callers at once. Each sends its next request as soon as it is answered, until the time
 * is over or it has sent enough: with one thread per caller, or asynchronously, from the callback
 * of the answer.
 */
final class LoadGenerator {
  private static final int PATIENCE_SECONDS = 120;

  private final LimiterClient client;
  private final String[] keys;
  private final MeasuredInterval interval;
  private final long mostPerCaller;
  private final List<CallStatistics> perCaller = new ArrayList<>();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  LoadGenerator(
      LimiterClient client, List<String> keys, MeasuredInterval interval, long mostPerCaller) {
    this.client = client;
    this.keys = keys.toArray(String[]::new);
    this.interval = interval;
    this.mostPerCaller = mostPerCaller;
  }

  CallStatistics threads(int callers) throws InterruptedException {
    return threads(callers, CallerThreads.PLATFORM);
  }

  CallStatistics threads(int callers, CallerThreads kind) throws InterruptedException {
    Executor start = kind.executor();
    CountDownLatch ended = new CountDownLatch(callers);
    for (int i = 0; i < callers; i++) {
      start.execute(new Caller(i, ended)::loop);
    }
    return await(ended);
  }

  CallStatistics inFlight(int callers) throws InterruptedException {
    CountDownLatch ended = new CountDownLatch(callers);
    for (int i = 0; i < callers; i++) {
      new Caller(i, ended).ask();
    }
    return await(ended);
  }

  private CallStatistics await(CountDownLatch ended) throws InterruptedException {
    boolean all = ended.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    if (!all || failure.get() != null) {
      throw new IllegalStateException(all ? "a caller failed" : "no answer", failure.get());
    }
    return CallStatistics.sum(interval, perCaller);
  }

  private final class Caller {
    private final CallStatistics statistics = new CallStatistics(interval);
    private final SplittableRandom random;
    private final CountDownLatch ended;

    Caller(int seed, CountDownLatch ended) {
      random = new SplittableRandom(seed);
      this.ended = ended;
      perCaller.add(statistics);
    }

    void loop() {
      try {
        for (long now = System.nanoTime(); goesOn(now); ) {
          boolean admitted = client.tryAcquire(nextKey());
          long answered = System.nanoTime();
          statistics.add(now, answered, admitted);
          now = answered;
        }
      } catch (RuntimeException failed) {
        failure.compareAndSet(null, failed);
      }
      ended.countDown();
    }

    void ask() {
      long begun = System.nanoTime();
      if (!goesOn(begun)) {
        ended.countDown();
        return;
      }
      client.ask(nextKey()).whenComplete((admitted, failed) -> answered(begun, admitted, failed));
    }

    private void answered(long begun, Boolean admitted, @Nullable Throwable failed) {
      if (failed != null) {
        failure.compareAndSet(null, failed);
        ended.countDown();
        return;
      }
      statistics.add(begun, System.nanoTime(), admitted);
      ask();
    }

    private boolean goesOn(long now) {
      return !interval.isOver(now) && statistics.asked() < mostPerCaller && failure.get() == null;
    }

    private String nextKey() {
      return keys.length == 1 ? keys[0] : keys[random.nextInt(keys.length)];
    }
  }

  /** The threads that callers run on; each caller has one of its own. */
  enum CallerThreads {
    PLATFORM("platform threads"),
    VIRTUAL("virtual threads");

    final String title;

    CallerThreads(String title) {
      this.title = title;
    }

    static boolean hasVirtual() {
      return Runtime.version().feature() >= 21;
    }

    Executor executor() {
      return switch (this) {
        case PLATFORM ->
            task -> {
              Thread thread = new Thread(task, "caller");
              thread.setDaemon(true);
              thread.start();
            };
        case VIRTUAL -> virtualThreads();
      };
    }

    /** Found by name, because this is compiled for a Java that has none. */
    private static Executor virtualThreads() {
      try {
        return (Executor) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
      } catch (ReflectiveOperationException missing) {
        throw new IllegalStateException("virtual threads need Java 21 or newer", missing);
      }
    }
  }

  /**
   * The time in which decisions count, on the clock of {@link System#nanoTime}, after a while of
   * warming up. What is not answered by its end does not count.
   */
  record MeasuredInterval(long fromNanos, long untilNanos) {
    static MeasuredInterval after(Duration warmup, Duration length) {
      long from = System.nanoTime() + warmup.toNanos();
      return new MeasuredInterval(from, from + length.toNanos());
    }

    boolean isOver(long nanos) {
      return nanos - untilNanos >= 0;
    }

    boolean holds(long nanos) {
      return nanos - fromNanos >= 0 && !isOver(nanos);
    }

    double seconds() {
      return (untilNanos - fromNanos) / 1e9;
    }
  }
}
