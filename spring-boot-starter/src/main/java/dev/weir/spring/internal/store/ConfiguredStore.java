package dev.weir.spring.internal.store;

import dev.weir.GuardListener;
import dev.weir.GuardedStore;
import dev.weir.StoreUnavailableException;
import dev.weir.redis.RedisAddress;
import dev.weir.redis.RedisStore;
import dev.weir.redis.RedisTls;
import dev.weir.redis.RedisTls.Verification;
import dev.weir.redis.StoreAddress;
import dev.weir.spi.LimitStore;
import dev.weir.spring.internal.setting.InvalidSettingException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;
import org.springframework.boot.ssl.SslBundle;

/**
 * Opens the store that the application is configured with.
 *
 * @param namespace what keeps the application's state apart on a Redis
 * @param requireAtStart whether a Redis that cannot be reached ends the start
 * @param verification what is checked of the certificates of Redis, if that is configured
 */
public record ConfiguredStore(
    String namespace,
    long maxKeys,
    Duration deadline,
    Duration denyCache,
    int breakerAfter,
    OptionalInt instances,
    boolean requireAtStart,
    Duration connectTimeout,
    Optional<Verification> verification) {
  public static final String PROPERTY = "weir.store";
  public static final String REDIS = "redis";

  private static final Duration LEAST_TIMEOUT = Duration.ofMillis(200);

  /**
   * The address that {@code weir.store} asks for.
   *
   * @param wanted the property; empty if it is not set
   */
  public static StoreAddress address(String wanted, RedisConnectionSource application) {
    if (isOfApplication(wanted)) {
      return StoreAddress.parse(
          application.address(wanted.equals(REDIS)).orElse(StoreAddress.MEMORY));
    }
    try {
      return StoreAddress.parse(wanted);
    } catch (IllegalArgumentException unreadable) {
      String expected = String.valueOf(unreadable.getMessage()).replaceFirst("^store ", "");
      throw new InvalidSettingException(
          PROPERTY,
          RedisAddress.mask(wanted),
          expected.replace("must be memory, ", "must be memory, redis, "));
    }
  }

  /** Whether {@code weir.store}, empty if it is not set, means the application's own Redis. */
  public static boolean isOfApplication(String wanted) {
    return wanted.isEmpty() || wanted.equals(REDIS);
  }

  /**
   * Opens the store, guarded if it is a Redis.
   *
   * @param bundle for TLS; empty for the certificates of the JVM
   */
  public LimitStore open(
      StoreAddress address,
      Optional<Supplier<SslBundle>> bundle,
      StoreDecorator timed,
      GuardListener listener) {
    return address.open(
        memory -> timed.decorate(memory.maxKeys(maxKeys).build()),
        redis -> guarded(timed.decorate(connected(address, bundle, redis)), listener));
  }

  private RedisStore connected(
      StoreAddress address, Optional<Supplier<SslBundle>> bundle, RedisStore.Builder redis) {
    bundle.map(BundleSslOptions::of).ifPresent(redis::sslOptions);
    verification.map(RedisTls::verifying).ifPresent(redis::tls);
    redis.namespace(namespace).timeout(timeout()).connectTimeout(connectTimeout);
    if (!requireAtStart) {
      redis.startWithoutServer();
    }
    try {
      return redis.build();
    } catch (StoreUnavailableException unreachable) {
      throw new StoreNotReachedException(address.toString(), unreachable);
    }
  }

  /** Not shorter than the deadline, or raising the deadline would change nothing. */
  private Duration timeout() {
    return deadline.compareTo(LEAST_TIMEOUT) > 0 ? deadline : LEAST_TIMEOUT;
  }

  private LimitStore guarded(LimitStore store, GuardListener listener) {
    GuardedStore.Builder guards =
        GuardedStore.builder(store)
            .deadline(deadline)
            .denyCache(denyCache)
            .breakerAfter(breakerAfter)
            .listener(listener);
    instances.ifPresent(guards::instances);
    return guards.build();
  }
}
