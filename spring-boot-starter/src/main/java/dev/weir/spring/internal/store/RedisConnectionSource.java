package dev.weir.spring.internal.store;

import java.util.Optional;

/** Where the address of the application's Redis comes from. */
@FunctionalInterface
public interface RedisConnectionSource {
  /**
   * The address, with its password.
   *
   * @param required whether to use the defaults of Spring, localhost, if nothing is configured
   * @return empty if the application has no Redis
   */
  Optional<String> address(boolean required);
}
