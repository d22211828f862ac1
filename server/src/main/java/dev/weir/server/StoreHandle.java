package dev.weir.server;

import dev.weir.GuardListener;
import dev.weir.GuardedStore;
import dev.weir.LeaseStatus;
import dev.weir.MemoryStore;
import dev.weir.redis.RedisStore;
import dev.weir.redis.StoreAddress;
import dev.weir.server.service.FleetText;
import dev.weir.spi.ForwardingLimitStore;
import dev.weir.spi.LimitStore;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The configured store, open and guarded.
 *
 * @param name for people: without a password
 * @param store to decide with
 * @param redis the Redis store inside, for texts that instances share; null for memory
 * @param memory the memory store inside; null for Redis
 */
record StoreHandle(
    String name, LimitStore store, @Nullable RedisStore redis, @Nullable MemoryStore memory)
    implements AutoCloseable {
  private static final Duration LEAST_TIMEOUT = Duration.ofMillis(200);
  private static final Duration WARM_UP_DEADLINE = Duration.ofSeconds(5);
  private static final LeaseStatus NO_LEASES = new LeaseStatus(0, 0, 0, 0, 0, 0, List.of());

  /**
   * @param address {@code memory} or the address of a Redis
   * @param timed adds latency metrics directly around the store
   * @param listener notified when a guard changes state
   */
  static StoreHandle open(
      String address,
      ServerOptions options,
      UnaryOperator<LimitStore> timed,
      GuardListener listener) {
    StoreAddress plain = StoreAddress.parse(address);
    StoreAddress parsed = options.storeTls().map(plain::withTls).orElse(plain);
    return parsed.open(
        memory ->
            inMemory(
                memory.maxKeys(options.maxKeys()).maxBytes(DefaultBounds.storeBytes()).build(),
                timed),
        redis -> overRedis(parsed.toString(), redis(redis, options), options, timed, listener));
  }

  private static StoreHandle inMemory(MemoryStore memory, UnaryOperator<LimitStore> timed) {
    return new StoreHandle(StoreAddress.MEMORY, timed.apply(memory), null, memory);
  }

  private static StoreHandle overRedis(
      String name,
      RedisStore redis,
      ServerOptions options,
      UnaryOperator<LimitStore> timed,
      GuardListener listener) {
    return new StoreHandle(name, guarded(timed.apply(redis), options, listener), redis, null);
  }

  private static RedisStore redis(RedisStore.Builder redis, ServerOptions options) {
    RedisStore.Builder builder =
        redis
            .namespace(options.namespace())
            .timeout(timeout(options.deadline()))
            .maxInFlight(options.maxInFlight());
    if (options.askAgain()) {
      builder.askAgain();
    }
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

  /** The guards around a store that may fail; empty in memory. */
  Optional<GuardedStore> guards() {
    return store instanceof GuardedStore guarded ? Optional.of(guarded) : Optional.empty();
  }

  /** What this instance has leased of hot keys. */
  LeaseStatus leases() {
    return guards().map(GuardedStore::leases).orElse(NO_LEASES);
  }

  /** The store without guards and metrics. */
  LimitStore bare() {
    return redis == null ? Objects.requireNonNull(memory) : redis;
  }

  /**
   * The same store behind separate guards with a longer deadline, for the warm-up: calls that are
   * late while the code is compiled must not open the circuit breaker of the real service. Closing
   * it leaves the store open.
   */
  StoreHandle forWarmUp(
      ServerOptions options, UnaryOperator<LimitStore> timed, GuardListener listener) {
    LimitStore kept = timed.apply(new KeptOpenStore(bare()));
    return memory != null
        ? new StoreHandle(name, kept, null, memory)
        : new StoreHandle(
            name,
            GuardedStore.builder(kept)
                .deadline(WARM_UP_DEADLINE)
                .denyCache(options.denyCache())
                .listener(listener)
                .build(),
            null,
            null);
  }

  private static final class KeptOpenStore extends ForwardingLimitStore {
    KeptOpenStore(LimitStore store) {
      super(store);
    }

    @Override
    public void close() {}
  }

  /** A text that all instances on this store share; empty in memory. */
  Optional<FleetText> sharedText(String textName) {
    return Optional.ofNullable(redis).map(shared -> new RedisText(shared, textName));
  }

  /** What an operator should know about the store: nothing, if all is well. */
  List<String> warnings() {
    return store.warnings();
  }

  @Override
  public void close() {
    store.close();
  }
}
