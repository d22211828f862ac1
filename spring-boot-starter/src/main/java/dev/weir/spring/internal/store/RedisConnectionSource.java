package dev.weir.spring.internal.store;

import java.util.Optional;

/** Where the address of the application's Redis comes from. */
@FunctionalInterface
public interface RedisConnectionSource {
  /**
   * The address, with its password.
   *
   * @param required whether the defaults of Spring count, localhost, if nothing is configured
   * @return empty if the application has no Redis
   */
  Optional<String> address(boolean required);
}
