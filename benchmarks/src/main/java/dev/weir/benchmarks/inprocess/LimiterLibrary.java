package dev.weir.benchmarks.inprocess;

import dev.weir.Algorithm;
import dev.weir.benchmarks.inprocess.LimiterLibrary.Floor;
import dev.weir.benchmarks.inprocess.PeerLibraries.Bucket4j;
import dev.weir.benchmarks.inprocess.PeerLibraries.Failsafe;
import dev.weir.benchmarks.inprocess.PeerLibraries.Guava;
import dev.weir.benchmarks.inprocess.PeerLibraries.Resilience4j;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.openjdk.jmh.infra.Blackhole;

/** How the limiters of one library are made. */
public interface LimiterLibrary {
  /** A limiter for a single key, used directly where the library allows it, without a lookup. */
  MeasuredLimiter one(PermitSupply supply);

  /** A limiter for each key; of a library without keys, one object per key in a map. */
  MeasuredLimiter keyed(PermitSupply supply, List<String> keys);

  /** The setting, in words. */
  String setting();

  /** What a user of a library without keys writes. */
  static <L> Map<String, L> map(List<String> keys, Function<String, L> limiter) {
    Map<String, L> byKey = new ConcurrentHashMap<>();
    keys.forEach(key -> byKey.put(key, limiter.apply(key)));
    return byKey;
  }

  /** How many permits there are. */
  public enum PermitSupply {
    /** More than any run can take. */
    AMPLE,
    /** One per day: the first request takes it, all others are denied. */
    SINGLE
  }

  /** One or many keys of one library under one limit: what is measured. Safe for many threads. */
  @FunctionalInterface
  public interface MeasuredLimiter {
    boolean tryAcquire(String key);

    /** The measured call: the answer escapes in the form in which the library gives it. */
    default void ask(String key, Blackhole hole) {
      hole.consume(tryAcquire(key));
    }
  }

  /**
   * The least that a keyed limiter in Java does: read the clock, find the key, swap one number.
   *
   * <p>The number is the time from which on the key is free again, so a denial writes nothing.
   */
  public static final class Floor implements LimiterLibrary {
    private static final String ONLY_KEY = "user-0";

    @Override
    public MeasuredLimiter one(PermitSupply supply) {
      return keyed(supply, List.of(ONLY_KEY));
    }

    @Override
    public MeasuredLimiter keyed(PermitSupply supply, List<String> keys) {
      long heldNanos = supply == PermitSupply.SINGLE ? TimeUnit.DAYS.toNanos(1) : 0;
      Map<String, AtomicLong> byKey =
          LimiterLibrary.map(keys, key -> new AtomicLong(System.nanoTime()));
      return key -> {
        long now = System.nanoTime();
        AtomicLong freeAt = byKey.get(key);
        long seen = freeAt.get();
        return now - seen >= 0 && freeAt.compareAndSet(seen, now + heldNanos);
      };
    }

    @Override
    public String setting() {
      return "System.nanoTime, ConcurrentHashMap.get and one compareAndSet; no limit is computed";
    }
  }

  /** Everything that is measured side by side. */
  public enum InProcessContender {
    FLOOR("the floor", Floor::new),
    WEIR_TOKEN_BUCKET("Weir, token bucket", () -> WeirLibrary.tryAcquire(Algorithm.TOKEN_BUCKET)),
    WEIR_FIXED_WINDOW("Weir, fixed window", () -> WeirLibrary.tryAcquire(Algorithm.FIXED_WINDOW)),
    WEIR_SLIDING_WINDOW(
        "Weir, sliding window", () -> WeirLibrary.tryAcquire(Algorithm.SLIDING_WINDOW)),
    WEIR_SLIDING_LOG("Weir, sliding log", () -> WeirLibrary.tryAcquire(Algorithm.SLIDING_LOG)),
    WEIR_DECIDE("Weir, token bucket, decide", () -> WeirLibrary.decide(Algorithm.TOKEN_BUCKET)),
    BUCKET4J("Bucket4j", Bucket4j::new),
    RESILIENCE4J("Resilience4j", Resilience4j::new),
    GUAVA("Guava", Guava::new),
    FAILSAFE_BURSTY("Failsafe, bursty", Failsafe::bursty),
    FAILSAFE_SMOOTH("Failsafe, smooth", Failsafe::smooth);

    /** The libraries of others, which Weir is compared with. */
    static final List<InProcessContender> PEERS =
        List.of(BUCKET4J, RESILIENCE4J, GUAVA, FAILSAFE_BURSTY, FAILSAFE_SMOOTH);

    final String title;
    private final Supplier<LimiterLibrary> library;

    InProcessContender(String title, Supplier<LimiterLibrary> library) {
      this.title = title;
      this.library = library;
    }

    /** Made on demand: a fork loads the classes of its own contender only. */
    LimiterLibrary library() {
      return library.get();
    }
  }
}
