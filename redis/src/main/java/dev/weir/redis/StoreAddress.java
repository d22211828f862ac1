package dev.weir.redis;

import dev.weir.MemoryStore;
import dev.weir.internal.Check;
import java.util.Optional;
import java.util.function.Function;

/**
 * Where state is kept, as written in options and rule files: {@code memory}, or the address of a
 * Redis. Immutable and already checked; its text never shows a password.
 *
 * <pre>{@code
 * LimitStore store = StoreAddress.parse(text).open(
 *     memory -> memory.build(), redis -> redis.namespace("shop").build());
 * }</pre>
 */
public final class StoreAddress {
  /** What the store inside this process is called. */
  public static final String MEMORY = "memory";

  private final String address;
  private final Optional<RedisTls> tls;

  private StoreAddress(String address, Optional<RedisTls> tls) {
    this.address = address;
    this.tls = tls;
  }

  /**
   * Checks a text, without connecting.
   *
   * @throws IllegalArgumentException if it is neither; the message never repeats a part of the text
   *     that may be a password
   */
  public static StoreAddress parse(String text) {
    Check.notNull("store", text);
    if (!text.equals(MEMORY) && !text.contains("://")) {
      throw new IllegalArgumentException("store must be " + MEMORY + ", " + RedisAddress.schemes());
    }
    return new StoreAddress(text.equals(MEMORY) ? text : checked(text), Optional.empty());
  }

  private static String checked(String text) {
    try {
      return RedisAddress.check(text);
    } catch (IllegalArgumentException malformed) {
      String reason = String.valueOf(malformed.getMessage());
      throw new IllegalArgumentException(
          reason
              .replaceFirst("^address must start with ", "store must be " + MEMORY + ", ")
              .replaceFirst("^address ", "store "),
          malformed);
    }
  }

  /**
   * The same, with certificates in the place of the JVM's, or other checks of the server's; memory
   * needs none and ignores them.
   *
   * @throws IllegalArgumentException if the address does not begin with {@code rediss}
   */
  public StoreAddress withTls(RedisTls files) {
    if (!isMemory() && !address.startsWith("rediss")) {
      throw new IllegalArgumentException(
          "store must begin with rediss, because options of TLS are given; was " + this);
    }
    return new StoreAddress(address, Optional.of(files));
  }

  public boolean isMemory() {
    return address.equals(MEMORY);
  }

  /** Opens the store with the function for its kind. */
  public <T> T open(
      Function<MemoryStore.Builder, ? extends T> memory,
      Function<RedisStore.Builder, ? extends T> redis) {
    return isMemory() ? memory.apply(MemoryStore.builder()) : redis.apply(builder());
  }

  private RedisStore.Builder builder() {
    RedisStore.Builder builder = RedisStore.builder(address);
    return tls.map(builder::tls).orElse(builder);
  }

  /** For display: {@code ***} in the place of user and password. */
  @Override
  public String toString() {
    return isMemory() ? MEMORY : RedisAddress.mask(address);
  }
}
