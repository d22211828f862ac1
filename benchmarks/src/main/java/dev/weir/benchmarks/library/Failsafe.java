package dev.weir.benchmarks.library;

import dev.failsafe.RateLimiter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Failsafe's two limiters: whole bursts per period, or evenly spaced. */
public final class Failsafe implements Library {
  private static final Duration DAY = Duration.ofDays(1);

  private final String setting;
  private final Function<Supply, RateLimiter<Object>> make;

  private Failsafe(String setting, Function<Supply, RateLimiter<Object>> make) {
    this.setting = setting;
    this.make = make;
  }

  public static Failsafe bursty() {
    return new Failsafe(
        "RateLimiter.tryAcquirePermit; bursty",
        supply ->
            RateLimiter.burstyBuilder(supply == Supply.AMPLE ? 1_000_000_000_000L : 1, DAY)
                .build());
  }

  public static Failsafe smooth() {
    return new Failsafe(
        "RateLimiter.tryAcquirePermit; smooth",
        supply ->
            RateLimiter.smoothBuilder(supply == Supply.AMPLE ? Duration.ofNanos(1) : DAY).build());
  }

  @Override
  public Gate one(Supply supply) {
    RateLimiter<Object> limiter = make.apply(supply);
    return key -> limiter.tryAcquirePermit();
  }

  @Override
  public Gate keyed(Supply supply, List<String> keys) {
    Map<String, RateLimiter<Object>> byKey = Library.map(keys, key -> make.apply(supply));
    return key -> byKey.get(key).tryAcquirePermit();
  }

  @Override
  public String setting() {
    return setting;
  }
}
