package dev.weir.benchmarks.redis;

import dev.weir.benchmarks.redis.LoadGenerator.MeasuredInterval;
import dev.weir.benchmarks.redis.MeasurementRun.RedisSample;
import dev.weir.benchmarks.redis.MeasurementRun.RedisWorkload;
import dev.weir.benchmarks.redis.client.LimiterClient;
import dev.weir.benchmarks.redis.client.LimiterClient.PermitBudget;
import dev.weir.benchmarks.report.MedianAndRange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** Everything that one run has measured, by round. Not safe for many threads. */
final class RedisMeasurements {
  private final Map<RedisWorkload, Map<RedisContender, List<RedisSample>>> samples =
      new EnumMap<>(RedisWorkload.class);
  private final Map<RedisContender, AdmissionCount> counts = new EnumMap<>(RedisContender.class);
  private final Map<RedisContender, KeySizes> keySizes = new EnumMap<>(RedisContender.class);

  void add(RedisWorkload workload, RedisContender contender, RedisSample sample) {
    samples
        .computeIfAbsent(workload, w -> new EnumMap<>(RedisContender.class))
        .computeIfAbsent(contender, c -> new ArrayList<>())
        .add(sample);
  }

  void setKeySizes(RedisContender contender, KeySizes sizes) {
    keySizes.put(contender, sizes);
  }

  Map<RedisContender, KeySizes> keySizes() {
    return keySizes;
  }

  void setCount(RedisContender contender, AdmissionCount count) {
    counts.put(contender, count);
  }

  Map<RedisContender, AdmissionCount> counts() {
    return counts;
  }

  MedianAndRange of(
      RedisWorkload workload, RedisContender contender, ToDoubleFunction<RedisSample> part) {
    return MedianAndRange.of(
        rounds(workload, contender).stream().map(part::applyAsDouble).toList());
  }

  /**
   * How many times {@code b} {@code a} is: taken within each round, so that a slow minute of the
   * machine hits both.
   */
  MedianAndRange ratio(
      RedisWorkload workload,
      RedisContender a,
      RedisContender b,
      ToDoubleFunction<RedisSample> part) {
    List<RedisSample> of = rounds(workload, a);
    List<RedisSample> to = rounds(workload, b);
    return MedianAndRange.of(
        IntStream.range(0, of.size())
            .mapToObj(i -> part.applyAsDouble(of.get(i)) / part.applyAsDouble(to.get(i)))
            .toList());
  }

  /** The share of the processors that other programs used, over all rounds of everything. */
  MedianAndRange disturbed() {
    return MedianAndRange.of(
        samples.values().stream()
            .flatMap(byContender -> byContender.values().stream())
            .flatMap(List::stream)
            .map(RedisSample::disturbed)
            .toList());
  }

  private List<RedisSample> rounds(RedisWorkload workload, RedisContender contender) {
    return samples.get(workload).get(contender);
  }

  /**
   * How many were admitted of many more that asked, from a key that has a thousand.
   *
   * @param allowed the most that may be admitted
   */
  record AdmissionCount(long asked, long admitted, long allowed) {
    private static final int CALLERS = 64;
    private static final long ASKS_PER_CALLER = 50;
    private static final Duration LONGEST = Duration.ofSeconds(60);

    /** A limiter that cannot say "per day" refills once per second; that is no fault here. */
    static AdmissionCount take(RedisContender contender, String uri) throws InterruptedException {
      try (LimiterClient client = contender.open(uri, PermitBudget.SCARCE)) {
        MeasuredInterval interval = MeasuredInterval.after(Duration.ZERO, LONGEST);
        LoadGenerator generator =
            new LoadGenerator(client, List.of("exact"), interval, ASKS_PER_CALLER);
        CallStatistics statistics = generator.threads(CALLERS);
        long seconds = (System.nanoTime() - interval.fromNanos()) / 1_000_000_000 + 1;
        long refilled = contender == RedisContender.GATEWAY ? seconds : 0;
        return new AdmissionCount(
            statistics.asked(), statistics.admitted(), PermitBudget.SCARCE.permits + refilled);
      }
    }

    String verdict() {
      if (admitted > allowed) {
        return admitted - allowed + " too many";
      }
      long least = Math.min(asked, PermitBudget.SCARCE.permits);
      return admitted < least ? least - admitted + " too few" : "exact";
    }
  }
}
