package dev.weir.benchmarks.lease;

import dev.weir.GuardedStore;
import dev.weir.Limit;
import dev.weir.Policy;
import dev.weir.RateLimiter;
import dev.weir.redis.RedisStore;
import dev.weir.testkit.RedisProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * The command {@code leases}: P12. One hot key from 64 threads with and without a lease, and the
 * calls to Redis at half, at once and at ten times the limit.
 */
public final class LeaseBenchmarks {
  private static final int THREADS = 64;
  private static final int PACED_THREADS = 8;
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration WARM_UP = Duration.ofSeconds(2);
  private static final Duration MEASURED = Duration.ofSeconds(5);

  /** A lease of one second is 1 % of it. */
  private static final Limit PLENTY = Limit.tokenBucket(1_000_000_000L, Duration.ofSeconds(100));

  private LeaseBenchmarks() {}

  public static void run() {
    try (RedisProcess redis = RedisProcess.start()) {
      System.out.println("64 threads, one key    decisions/s      calls/decision   p99 us");
      double plain = hot(redis, "without leases", Policy.of("bench", "plain", PLENTY));
      double leased =
          hot(redis, "lease: 1s", Policy.of("bench", "leased", PLENTY).withLease(SECOND));
      print("ratio %.1f%n%n", leased / plain);
      System.out.println("1000 per second, one instance, lease: 1s");
      for (int perSecond : List.of(500, 1000, 10_000)) {
        paced(redis, perSecond);
      }
    }
  }

  private static double hot(RedisProcess redis, String name, Policy policy) {
    try (Instance instance = new Instance(redis, policy)) {
      instance.load(THREADS, 0, WARM_UP);
      instance.load(THREADS, 0, MEASURED);
      double perSecond = instance.decisions / (double) MEASURED.toSeconds();
      print(
          "%-22s %,12.0f %18.5f %10d%n",
          name, perSecond, instance.callsPerDecision(), instance.p99Micros());
      return perSecond;
    }
  }

  private static void paced(RedisProcess redis, int perSecond) {
    Policy policy =
        Policy.of("bench", "paced-" + perSecond, Limit.tokenBucket(1000, SECOND)).withLease(SECOND);
    try (Instance instance = new Instance(redis, policy)) {
      long pause = PACED_THREADS * 1_000_000_000L / perSecond;
      instance.load(PACED_THREADS, pause, WARM_UP.multipliedBy(2));
      instance.load(PACED_THREADS, pause, MEASURED);
      print(
          "%6d/s asked: %,8d decisions, %,8d allowed of at most %,d; %.4f calls/decision%n",
          perSecond,
          instance.decisions,
          instance.allowed,
          1000 + 1000 * MEASURED.toSeconds(),
          instance.callsPerDecision());
    }
  }

  private static void print(String format, Object... values) {
    System.out.printf(Locale.ROOT, format, values);
  }

  /** One limiter and what was measured of its last load. */
  private static final class Instance implements AutoCloseable {
    private final CallCountingStore counted;
    private final GuardedStore store;
    private final RateLimiter limiter;
    private Histogram nanos = new ConcurrentHistogram(3);
    long decisions;
    long allowed;
    private long calls;

    Instance(RedisProcess redis, Policy policy) {
      counted = new CallCountingStore(RedisStore.connect(redis.uri()));
      store = GuardedStore.builder(counted).deadline(Duration.ofSeconds(1)).build();
      limiter = RateLimiter.builder().policy(policy).store(store).build();
    }

    void load(int threads, long pauseNanos, Duration length) {
      nanos = new ConcurrentHistogram(3);
      LongAdder done = new LongAdder();
      LongAdder passed = new LongAdder();
      long callsBefore = counted.calls.sum();
      long ends = System.nanoTime() + length.toNanos();
      List<Thread> callers = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        Thread caller = new Thread(() -> ask(pauseNanos, ends, done, passed));
        callers.add(caller);
        caller.start();
      }
      callers.forEach(Instance::join);
      decisions = done.sum();
      allowed = passed.sum();
      calls = counted.calls.sum() - callsBefore;
    }

    private void ask(long pauseNanos, long ends, LongAdder done, LongAdder passed) {
      long due = System.nanoTime();
      for (long now = due; now < ends; now = System.nanoTime()) {
        if (limiter.decide("key").allowed()) {
          passed.increment();
        }
        done.increment();
        nanos.recordValue(System.nanoTime() - now);
        due += pauseNanos;
        if (pauseNanos > 0) {
          LockSupport.parkNanos(due - System.nanoTime());
        }
      }
    }

    double callsPerDecision() {
      return calls / (double) decisions;
    }

    long p99Micros() {
      return nanos.getValueAtPercentile(99) / 1000;
    }

    private static void join(Thread thread) {
      try {
        thread.join();
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public void close() {
      store.close();
    }
  }
}
