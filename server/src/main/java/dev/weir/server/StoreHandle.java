package dev.weir.server;

import dev.weir.GuardListener;
import dev.weir.GuardedStore;
import dev.weir.MemoryStore;
import dev.weir.redis.RedisStore;
import dev.weir.spi.LimitStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The store that was asked for, open and guarded.
 *
 * @param name for people: without a password
 * @param store to decide with
 * @param redis the Redis inside, for what instances share besides; null in memory
 * @param memory the memory inside; null over Redis
 */
record StoreHandle(
    String name, LimitStore store, @Nullable RedisStore redis, @Nullable MemoryStore memory)
    implements AutoCloseable {
  private static final String MEMORY = "memory";
  private static final Duration LEAST_TIMEOUT = Duration.ofMillis(200);

  /**
   * @param address {@code memory} or the address of a Redis
   * @param timed measures the store right where it is asked
   * @param listener told when a guard changes state
   */
  static StoreHandle open(
      String address,
      ServerOptions options,
      UnaryOperator<LimitStore> timed,
      GuardListener listener) {
    if (address.equals(MEMORY)) {
      MemoryStore memory = MemoryStore.builder().maxKeys(options.maxKeys()).build();
      return new StoreHandle(MEMORY, timed.apply(memory), null, memory);
    }
    if (!address.startsWith("redis")) {
      throw new IllegalArgumentException(
          "store must be memory or redis://host:port, was " + withoutPassword(address));
    }
    RedisStore redis = redis(address, options);
    LimitStore guarded = guarded(timed.apply(redis), options, listener);
    return new StoreHandle(withoutPassword(address), guarded, redis, null);
  }

  private static RedisStore redis(String address, ServerOptions options) {
    RedisStore.Builder builder =
        RedisStore.builder(address)
            .namespace(options.namespace())
            .timeout(timeout(options.deadline()))
            .maxInFlight(options.maxInFlight());
    return (options.requireStore() ? builder : builder.startWithoutServer()).build();
  }

  /** Not shorter than the deadline, or raising the deadline would change nothing. */
  private static Duration timeout(Duration deadline) {
    return deadline.compareTo(LEAST_TIMEOUT) > 0 ? deadline : LEAST_TIMEOUT;
  }

  private static LimitStore guarded(
      LimitStore store, ServerOptions options, GuardListener listener) {
    GuardedStore.Builder builder =
        GuardedStore.builder(store)
            .deadline(options.deadline())
            .denyCache(options.denyCache())
            .listener(listener);
    options.instances().ifPresent(builder::instances);
    return builder.build();
  }

  /** What comes before the last {@code @} of an address may be a secret. */
  static String withoutPassword(String address) {
    int at = address.lastIndexOf('@');
    int scheme = address.indexOf("://");
    return at < 0 || scheme < 0
        ? address
        : address.substring(0, scheme + 3) + "***" + address.substring(at);
  }

  Optional<RedisStore> shared() {
    return Optional.ofNullable(redis);
  }

  /** What an operator should know about the server: nothing, if all is well. */
  List<String> warnings() {
    return redis == null ? List.of() : redis.warnings();
  }

  @Override
  public void close() {
    store.close();
  }
}
