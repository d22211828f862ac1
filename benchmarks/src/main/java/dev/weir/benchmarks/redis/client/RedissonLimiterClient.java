package dev.weir.benchmarks.redis.client;

import dev.weir.benchmarks.redis.client.LimiterClient.PermitBudget;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.redisson.Redisson;
import org.redisson.api.RRateLimiter;
import org.redisson.api.RateType;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Redisson's RRateLimiter: a log of admissions, trimmed at every call. */
public final class RedissonLimiterClient implements LimiterClient {
  /** The same rate over a shorter time keeps its log short, which is when it is quickest. */
  private static final int AMPLE_PARTS = 100;

  /** The usual 3 s would count a pause of a shared machine as a failure. */
  private static final int TIMEOUT_MILLIS = 30_000;

  private final RedissonClient redisson;
  private final PermitBudget budget;
  private final Map<String, RRateLimiter> known = new ConcurrentHashMap<>();

  public RedissonLimiterClient(String uri, PermitBudget budget) {
    Config config = new Config();
    config.useSingleServer().setAddress(uri).setTimeout(TIMEOUT_MILLIS);
    redisson = Redisson.create(config);
    this.budget = budget;
  }

  @Override
  public boolean tryAcquire(String key) {
    return limiter(key).tryAcquire();
  }

  @Override
  public CompletionStage<Boolean> ask(String key) {
    return limiter(key).tryAcquireAsync();
  }

  private RRateLimiter limiter(String key) {
    RRateLimiter made = known.get(key);
    return made != null ? made : known.computeIfAbsent(key, this::make);
  }

  private RRateLimiter make(String key) {
    int parts = budget == PermitBudget.AMPLE ? AMPLE_PARTS : 1;
    Duration period = budget.period.dividedBy(parts);
    RRateLimiter limiter = redisson.getRateLimiter("redisson:" + budget + ":" + key);
    limiter.trySetRate(RateType.OVERALL, budget.permits / parts, period);
    return limiter;
  }

  @Override
  public void close() {
    redisson.shutdown();
  }
}
