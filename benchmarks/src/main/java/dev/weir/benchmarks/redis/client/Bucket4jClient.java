package dev.weir.benchmarks.redis.client;

import dev.weir.benchmarks.redis.client.LimiterClient.PermitBudget;
import dev.weir.benchmarks.redis.client.ScriptClient.LettuceConnection;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.AsyncBucketProxy;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.bucket4j.distributed.proxy.optimization.Optimization;
import io.github.bucket4j.distributed.proxy.optimization.Optimizations;
import io.github.bucket4j.redis.lettuce.Bucket4jLettuce;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Bucket4j over Lettuce. Buckets are kept: only callers of the same one share a batch. */
public final class Bucket4jClient implements LimiterClient {
  private final LettuceConnection<String, byte[]> lettuce;
  private final ProxyManager<String> buckets;
  private final BucketConfiguration limit;
  private final @Nullable Optimization optimization;
  private final String prefix;
  private final Map<String, Bucket> known = new ConcurrentHashMap<>();
  private final Map<String, AsyncBucketProxy> knownAsync = new ConcurrentHashMap<>();

  private Bucket4jClient(String uri, PermitBudget budget, @Nullable Optimization optimization) {
    lettuce =
        new LettuceConnection<>(uri, RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE));
    buckets = Bucket4jLettuce.casBasedBuilder(lettuce.connection()).build();
    limit =
        BucketConfiguration.builder()
            .addLimit(
                bandwidth ->
                    bandwidth.capacity(budget.permits).refillGreedy(budget.permits, budget.period))
            .build();
    this.optimization = optimization;
    prefix = (optimization == null ? "bucket4j:" : "batching:") + budget + ":";
  }

  public static Bucket4jClient byDefault(String uri, PermitBudget budget) {
    return new Bucket4jClient(uri, budget, null);
  }

  public static Bucket4jClient batching(String uri, PermitBudget budget) {
    return new Bucket4jClient(uri, budget, Optimizations.batching());
  }

  @Override
  public boolean tryAcquire(String key) {
    return known.computeIfAbsent(key, this::bucket).tryConsume(1);
  }

  @Override
  public CompletionStage<Boolean> ask(String key) {
    return knownAsync.computeIfAbsent(key, this::asyncBucket).tryConsume(1);
  }

  private Bucket bucket(String key) {
    var builder = buckets.builder();
    return (optimization == null ? builder : builder.withOptimization(optimization))
        .build(prefix + key, () -> limit);
  }

  private AsyncBucketProxy asyncBucket(String key) {
    var builder = buckets.asAsync().builder();
    return (optimization == null ? builder : builder.withOptimization(optimization))
        .build(prefix + key, () -> CompletableFuture.completedFuture(limit));
  }

  @Override
  public void close() {
    lettuce.close();
  }
}
