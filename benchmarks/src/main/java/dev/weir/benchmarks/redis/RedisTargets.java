package dev.weir.benchmarks.redis;

import static dev.weir.benchmarks.redis.RedisContender.BUCKET4J;
import static dev.weir.benchmarks.redis.RedisContender.BUCKET4J_BATCHING;
import static dev.weir.benchmarks.redis.RedisContender.GATEWAY;
import static dev.weir.benchmarks.redis.RedisContender.PLAIN_BUCKET;
import static dev.weir.benchmarks.redis.RedisContender.REDISSON;
import static dev.weir.benchmarks.redis.RedisContender.RETURN_ONE;
import static dev.weir.benchmarks.redis.RedisContender.WEIR;
import static dev.weir.benchmarks.redis.RedisContender.WEIR_3_CALLS;
import static dev.weir.benchmarks.redis.RedisContender.WEIR_3_LIMITS;
import static dev.weir.benchmarks.redis.RedisContender.WEIR_FIXED_WINDOW;
import static dev.weir.benchmarks.redis.RedisContender.WEIR_IN_FLIGHT;
import static dev.weir.benchmarks.redis.RedisContender.WEIR_REQUEST_ID;
import static dev.weir.benchmarks.redis.RedisContender.WEIR_SLIDING_LOG;
import static dev.weir.benchmarks.redis.RedisContender.WEIR_SLIDING_WINDOW;

import dev.weir.benchmarks.redis.MeasurementRun.RedisSample;
import dev.weir.benchmarks.redis.MeasurementRun.RedisWorkload;
import dev.weir.benchmarks.report.MarkdownTable;
import dev.weir.benchmarks.report.PerformanceTarget;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Weir's performance targets over Redis: the token bucket by the server's clock. */
final class RedisTargets {
  private final RedisMeasurements measured;

  RedisTargets(RedisMeasurements measured) {
    this.measured = measured;
  }

  List<PerformanceTarget> all() {
    return List.of(
        ahead("P5", RedisWorkload.HOT_64, WEIR, BUCKET4J_BATCHING, 1.3),
        ahead("P5", RedisWorkload.HOT_64, WEIR, REDISSON, 4),
        ahead("P5", RedisWorkload.HOT_64, WEIR, RETURN_ONE, 1.3),
        ahead("P5", RedisWorkload.HOT_256, WEIR, BUCKET4J_BATCHING, 1.3),
        ahead("P5", RedisWorkload.HOT_256, WEIR, REDISSON, 4),
        ahead("P5", RedisWorkload.HOT_256, WEIR, RETURN_ONE, 1.3),
        ahead("P5a", RedisWorkload.IN_FLIGHT, WEIR, BUCKET4J_BATCHING, 1),
        atMost(
            "P5a",
            "processor time of Redis, async, 256 in flight",
            1.2,
            RedisWorkload.IN_FLIGHT,
            WEIR,
            BUCKET4J_BATCHING,
            RedisSample::cpuMicros),
        ahead("P6", RedisWorkload.MANY_KEYS, WEIR, BUCKET4J, 3),
        ahead("P6", RedisWorkload.MANY_KEYS, WEIR, REDISSON, 4),
        ahead("P7", RedisWorkload.IN_FLIGHT, WEIR, RETURN_ONE, 1.8),
        atMost(
            "P8",
            "1 caller, p50",
            1.3,
            RedisWorkload.ONE_CALLER,
            WEIR,
            RETURN_ONE,
            RedisSample::p50Micros),
        ahead("P8", RedisWorkload.ONE_CALLER, WEIR, GATEWAY, 1),
        ahead("P8", RedisWorkload.ONE_CALLER, WEIR, REDISSON, 1),
        ahead("P8", RedisWorkload.ONE_CALLER, WEIR, BUCKET4J, 1),
        atMost(
            "P9",
            "time in the script, 1 caller",
            1.5,
            RedisWorkload.LIMITS_1,
            WEIR_3_LIMITS,
            WEIR,
            RedisSample::scriptMicros),
        ahead("P9", RedisWorkload.LIMITS_1, WEIR_3_LIMITS, WEIR_3_CALLS, 2.5),
        ahead("P9", RedisWorkload.LIMITS_64, WEIR_3_LIMITS, WEIR_3_CALLS, 2.5),
        atMost(
            "P10",
            "time in the script, 1 caller",
            1.1,
            RedisWorkload.ONE_CALLER,
            WEIR,
            PLAIN_BUCKET,
            RedisSample::scriptMicros),
        atMost(
            "P10",
            "time in the script, async, 256 in flight, coalesced",
            0.4,
            RedisWorkload.IN_FLIGHT,
            WEIR,
            PLAIN_BUCKET,
            RedisSample::scriptMicros),
        ahead("P18", RedisWorkload.ALGORITHMS_HOT, WEIR_FIXED_WINDOW, WEIR, 1 / 1.3),
        ahead("P18", RedisWorkload.ALGORITHMS_HOT, WEIR_SLIDING_WINDOW, WEIR, 1 / 1.3),
        ahead("P18", RedisWorkload.ALGORITHMS_HOT, WEIR_SLIDING_LOG, WEIR, 0.5),
        ahead("P18", RedisWorkload.ALGORITHMS_KEYS, WEIR_FIXED_WINDOW, WEIR, 1 / 1.3),
        ahead("P18", RedisWorkload.ALGORITHMS_KEYS, WEIR_SLIDING_WINDOW, WEIR, 1 / 1.3),
        ahead("P18", RedisWorkload.ALGORITHMS_KEYS, WEIR_SLIDING_LOG, WEIR, 0.5),
        ahead("P20", RedisWorkload.PAY_ONCE_1, WEIR_IN_FLIGHT, WEIR, 1 / 2.2),
        ahead("P20", RedisWorkload.PAY_ONCE_KEYS, WEIR_IN_FLIGHT, WEIR, 1 / 2.2),
        ahead("P20", RedisWorkload.PAY_ONCE_1, WEIR_REQUEST_ID, WEIR, 1 / 1.5),
        ahead("P20", RedisWorkload.PAY_ONCE_KEYS, WEIR_REQUEST_ID, WEIR, 1 / 1.5));
  }

  private PerformanceTarget ahead(
      String number, RedisWorkload workload, RedisContender of, RedisContender to, double factor) {
    String promise =
        "%s: %s decides at least %s x as often as %s"
            .formatted(workload.title, of.title, MarkdownTable.ratio(factor), to.title);
    return PerformanceTarget.atLeast(
        number, promise, factor, measured.ratio(workload, of, to, RedisSample::perSecond));
  }

  private PerformanceTarget atMost(
      String number,
      String what,
      double factor,
      RedisWorkload workload,
      RedisContender of,
      RedisContender to,
      ToDoubleFunction<RedisSample> part) {
    String promise = "%s: %s takes at most %s x %s".formatted(what, of.title, factor, to.title);
    return PerformanceTarget.atMost(
        number, promise, factor, measured.ratio(workload, of, to, part));
  }
}
