package dev.weir.cli.demo;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.RateLimiter;
import dev.weir.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** One limit under test: a limiter of its own, and the times of what it admitted and denied. */
final class ObservedLimiter implements AutoCloseable {
  private static final String KEY = "everyone";

  private final String name;
  private final RateLimiter limiter;
  private final TimeSource time;
  private final List<Long> admittedMicros = new ArrayList<>();
  private final List<Long> deniedMicros = new ArrayList<>();

  ObservedLimiter(Limit limit, TimeSource time) {
    this.name = limit.algorithm().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    this.limiter = RateLimiter.builder().limit(name, limit).time(time).build();
    this.time = time;
  }

  String name() {
    return name;
  }

  /** Offers one request, now. */
  Decision offer() {
    Decision decision = limiter.decide(KEY);
    (decision.allowed() ? admittedMicros : deniedMicros).add(time.nowMicros());
    return decision;
  }

  /** The decision for a request now, without making one. */
  Decision peek() {
    return limiter.peek(KEY);
  }

  int admitted() {
    return admittedMicros.size();
  }

  int denied() {
    return deniedMicros.size();
  }

  /** Admissions from one time, included, to another, excluded. */
  int admittedBetween(long fromMicros, long toMicros) {
    return countBetween(admittedMicros, fromMicros, toMicros);
  }

  int deniedBetween(long fromMicros, long toMicros) {
    return countBetween(deniedMicros, fromMicros, toMicros);
  }

  /** The largest number of admissions in any interval of this length, wherever it begins. */
  int mostWithin(Duration length) {
    long micros = length.toNanos() / 1000;
    return admittedMicros.stream()
        .mapToInt(start -> admittedBetween(start, start + micros))
        .max()
        .orElse(0);
  }

  private static int countBetween(List<Long> times, long fromMicros, long toMicros) {
    return (int) times.stream().filter(at -> at >= fromMicros && at < toMicros).count();
  }

  @Override
  public void close() {
    limiter.close();
  }
}
