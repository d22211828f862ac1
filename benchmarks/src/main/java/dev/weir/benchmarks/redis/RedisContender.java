package dev.weir.benchmarks.redis;

import dev.weir.Algorithm;
import dev.weir.benchmarks.redis.client.Bucket4jClient;
import dev.weir.benchmarks.redis.client.LimiterClient;
import dev.weir.benchmarks.redis.client.LimiterClient.PermitBudget;
import dev.weir.benchmarks.redis.client.PerRequestStateClient;
import dev.weir.benchmarks.redis.client.RedissonLimiterClient;
import dev.weir.benchmarks.redis.client.ScriptClient;
import dev.weir.benchmarks.redis.client.WeirRedisClient;
import java.util.List;
import java.util.function.BiFunction;

/** Everything that is measured side by side. */
enum RedisContender {
  WEIR(
      "Weir",
      "RateLimiter.tryAcquire, or async().decide; RedisStore with its defaults but a timeout of"
          + " 5 s; token bucket by the server's clock",
      (uri, budget) -> new WeirRedisClient(uri, budget, 1, 1)),
  RETURN_ONE(
      "`return 1`",
      "one EVALSHA per decision over one connection of Lettuce; decides nothing",
      (uri, budget) -> ScriptClient.returningOne(uri)),
  PLAIN_BUCKET(
      "plain script",
      "a token bucket of 20 lines with GET and SET PX, the client's clock, four integers back;"
          + " one EVALSHA per decision over one connection of Lettuce",
      ScriptClient::plainBucket),
  GATEWAY(
      "Spring Cloud Gateway's way",
      "a script of the same shape: two keys, whole seconds, the server's clock, written on denial"
          + " too; one EVALSHA per decision over one connection of Lettuce, without Spring",
      ScriptClient::gateway),
  BUCKET4J(
      "Bucket4j",
      "Bucket4jLettuce.casBasedBuilder with its defaults over one connection; buckets are kept",
      Bucket4jClient::byDefault),
  BUCKET4J_BATCHING(
      "Bucket4j, batching",
      "the same with Optimizations.batching(); all callers of a key share one bucket",
      Bucket4jClient::batching),
  REDISSON(
      "Redisson",
      "RRateLimiter, OVERALL, a million per 10 ms, which keeps its log short; its"
          + " defaults but a timeout of 30 s",
      RedissonLimiterClient::new),
  WEIR_3_LIMITS(
      "Weir, 3 limits",
      "three token buckets of one key in one decision",
      (uri, budget) -> new WeirRedisClient(uri, budget, 3, 1)),
  WEIR_10_LIMITS(
      "Weir, 10 limits",
      "ten token buckets of one key in one decision",
      (uri, budget) -> new WeirRedisClient(uri, budget, 10, 1)),
  WEIR_3_CALLS(
      "Weir, 3 calls",
      "three decisions of one token bucket each, one after the other",
      (uri, budget) -> new WeirRedisClient(uri, budget, 1, 3)),
  WEIR_FIXED_WINDOW(
      "Weir, fixed window",
      "a fixed window of the same permits and period",
      (uri, budget) -> new WeirRedisClient(uri, budget, Algorithm.FIXED_WINDOW)),
  WEIR_SLIDING_WINDOW(
      "Weir, sliding window",
      "a sliding window of the same permits and period",
      (uri, budget) -> new WeirRedisClient(uri, budget, Algorithm.SLIDING_WINDOW)),
  WEIR_SLIDING_LOG(
      "Weir, sliding log",
      "a sliding log of the same permits and period",
      (uri, budget) -> new WeirRedisClient(uri, budget, Algorithm.SLIDING_LOG)),
  WEIR_IN_FLIGHT(
      "Weir, in flight: take and release",
      "a slot of requests in flight, taken and released: two calls",
      (uri, budget) -> PerRequestStateClient.inFlight(uri)),
  WEIR_REQUEST_ID(
      "Weir, request ids",
      "a token bucket, each decision with a new request id, remembered for 10 s",
      PerRequestStateClient::requestIds);

  /** The four algorithms. */
  static final List<RedisContender> ALGORITHMS =
      List.of(WEIR, WEIR_FIXED_WINDOW, WEIR_SLIDING_WINDOW, WEIR_SLIDING_LOG);

  /** Weir alone, and where Redis keeps state per request. */
  static final List<RedisContender> PER_REQUEST_STATE =
      List.of(WEIR, WEIR_IN_FLIGHT, WEIR_REQUEST_ID);

  /** One limit in one decision. */
  static final List<RedisContender> SINGLE =
      List.of(WEIR, RETURN_ONE, PLAIN_BUCKET, GATEWAY, BUCKET4J, BUCKET4J_BATCHING, REDISSON);

  /** One limit per key, by each algorithm and each peer. */
  static final List<RedisContender> KEEPING_STATE =
      List.of(
          WEIR,
          WEIR_FIXED_WINDOW,
          WEIR_SLIDING_WINDOW,
          WEIR_SLIDING_LOG,
          PLAIN_BUCKET,
          GATEWAY,
          BUCKET4J,
          BUCKET4J_BATCHING,
          REDISSON);

  /** Alternatives to Weir. */
  static final List<RedisContender> PEERS =
      List.of(PLAIN_BUCKET, GATEWAY, BUCKET4J, BUCKET4J_BATCHING, REDISSON);

  static final List<RedisContender> LIMITS =
      List.of(WEIR, WEIR_3_LIMITS, WEIR_10_LIMITS, WEIR_3_CALLS);

  final String title;
  final String setting;
  private final BiFunction<String, PermitBudget, LimiterClient> opener;

  RedisContender(
      String title, String setting, BiFunction<String, PermitBudget, LimiterClient> opener) {
    this.title = title;
    this.setting = setting;
    this.opener = opener;
  }

  LimiterClient open(String uri, PermitBudget budget) {
    return opener.apply(uri, budget);
  }
}
