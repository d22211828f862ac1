package dev.weir.benchmarks.lease;

import dev.weir.Limit;
import dev.weir.Policy;
import dev.weir.benchmarks.lease.LoadedInstance.Counts;
import dev.weir.testkit.RedisProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;

/**
 * The command {@code leases}: P12. One hot key from 64 threads with and without a lease; four
 * instances at half, at once and at ten times the limit; and load that moves between two.
 */
public final class LeaseBenchmarks {
  private static final int THREADS = 64;
  private static final int INSTANCES = 4;
  private static final int THREADS_EACH = 2;
  private static final int PER_SECOND = 1000;
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration WARM_UP = Duration.ofSeconds(4);

  /** A lease of one second is 1 % of it. */
  private static final Limit PLENTY = Limit.tokenBucket(1_000_000_000L, Duration.ofSeconds(100));

  private final RedisProcess redis;
  private final Duration measured;

  private LeaseBenchmarks(RedisProcess redis, Duration measured) {
    this.redis = redis;
    this.measured = measured;
  }

  public static void run(boolean isShort) {
    try (RedisProcess redis = RedisProcess.start()) {
      LeaseBenchmarks benchmarks = new LeaseBenchmarks(redis, Duration.ofSeconds(isShort ? 5 : 20));
      benchmarks.compareHotKey();
      benchmarks.approachTheLimit();
      benchmarks.shiftTheLoad();
    }
  }

  private void compareHotKey() {
    print("64 threads, one key      decisions/s   calls/decision     p99 us%n");
    double plain = hot("without leases", LoadedInstance.over(redis, plenty("plain")));
    double leased =
        hot("lease: 1s", LoadedInstance.over(redis, plenty("leased").withLease(SECOND)));
    hot("in process", LoadedInstance.inProcess(plenty("memory")));
    print("with leases / without: %.1f%n%n", leased / plain);
  }

  private static Policy plenty(String name) {
    return Policy.of("bench", name, PLENTY);
  }

  private double hot(String name, LoadedInstance loaded) {
    try (LoadedInstance instance = loaded.load(THREADS, 0)) {
      pause(WARM_UP);
      instance.countAnew();
      pause(measured);
      Counts counts = instance.counted();
      double perSecond = counts.decisions() / (double) measured.toSeconds();
      print(
          "%-22s %,13.0f %16.5f %10.1f%n",
          name, perSecond, counts.callsPerDecision(), instance.p99Micros());
      return perSecond;
    }
  }

  private void approachTheLimit() {
    for (int burst : List.of(60 * PER_SECOND, PER_SECOND)) {
      print("%d per second, burst %d, lease: 1s, %d instances%n", PER_SECOND, burst, INSTANCES);
      print("    asked   allowed  of what could be  above the limit  calls/decision  stranded%n");
      for (double load : List.of(0.5, 1.0, 10.0)) {
        approach(load, burst);
      }
      print("%n");
    }
  }

  /**
   * What could be allowed is all that was asked for, and no more than the limit. Above the limit:
   * more than a full bucket and the refill; {@code LeaseFleetTest} looks at all intervals.
   * Stranded: the part of what was leased that ended unspent.
   */
  private void approach(double load, int burst) {
    Policy policy =
        Policy.of(
                "bench",
                "paced-" + load + "-" + burst,
                Limit.tokenBucket(PER_SECOND, SECOND).withBurst(burst))
            .withLease(SECOND);
    List<LoadedInstance> instances = new ArrayList<>();
    for (int i = 0; i < INSTANCES; i++) {
      instances.add(
          LoadedInstance.over(redis, policy).load(THREADS_EACH, load * PER_SECOND / INSTANCES));
    }
    pause(WARM_UP.plusSeconds(load > 1 ? burst / PER_SECOND / 5 : 0)); // until the burst is used up
    long start = System.nanoTime();
    instances.forEach(LoadedInstance::countAnew);
    pause(measured);
    Counts all = new Counts(0, 0, 0, 0, 0);
    for (LoadedInstance instance : instances) {
      all = all.plus(instance.counted());
    }
    double refilled = PER_SECOND * (System.nanoTime() - start) / 1e9;
    instances.forEach(LoadedInstance::close);
    print(
        "%,9d %,9d %15.1f %% %16.0f %15.4f %7.1f %%%n",
        all.decisions(),
        all.allowed(),
        100 * all.allowed() / Math.min(all.decisions(), refilled),
        Math.max(0, all.allowed() - burst - refilled),
        all.callsPerDecision(),
        100.0 * all.expired() / Math.max(1, all.leased()));
  }

  /** At ten times the limit, nine tenths of the load move from one instance to the other. */
  private void shiftTheLoad() {
    Policy policy =
        Policy.of("bench", "shifted", Limit.tokenBucket(PER_SECOND, SECOND)).withLease(SECOND);
    try (LoadedInstance first =
            LoadedInstance.over(redis, policy).load(THREADS_EACH, 9 * PER_SECOND);
        LoadedInstance second = LoadedInstance.over(redis, policy).load(THREADS_EACH, PER_SECOND)) {
      pause(WARM_UP);
      first.countAnew();
      second.countAnew();
      pause(measured);
      print(
          "9 : 1 of the load at ten times the limit: %.1f %% of what passes%n",
          share(first, second));
      first.pace(THREADS_EACH, PER_SECOND);
      second.pace(THREADS_EACH, 9 * PER_SECOND);
      print(
          "after the load has moved to the other: %.1f s to 80 %% of its share%n",
          seconds(first, second));
    }
  }

  private static double share(LoadedInstance one, LoadedInstance other) {
    double own = one.counted().allowed();
    return 100 * own / Math.max(1, own + other.counted().allowed());
  }

  /** Until the second instance has 72 % of what passes in a fifth of a second. */
  private static double seconds(LoadedInstance first, LoadedInstance second) {
    long start = System.nanoTime();
    Duration step = Duration.ofMillis(200);
    double passed = 0;
    double share = 0;
    while (share < 0.8 * 90 && passed < 30) {
      first.countAnew();
      second.countAnew();
      pause(step);
      share = share(second, first);
      passed = (System.nanoTime() - start) / 1e9;
    }
    return passed;
  }

  private static void pause(Duration length) {
    long ends = System.nanoTime() + length.toNanos();
    while (ends - System.nanoTime() > 0) {
      LockSupport.parkNanos(ends - System.nanoTime());
    }
  }

  private static void print(String format, Object... values) {
    System.out.printf(Locale.ROOT, format, values);
  }
}
