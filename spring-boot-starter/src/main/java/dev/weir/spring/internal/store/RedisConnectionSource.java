package dev.weir.spring.internal.store;

import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.boot.ssl.SslBundle;

/** Where the address of the application's Redis comes from, and its certificates. */
public interface RedisConnectionSource {
  /**
   * The address, with its password.
   *
   * @param required whether to use the defaults of Spring, localhost, if nothing is configured
   * @return empty if the application has no Redis
   */
  Optional<String> address(boolean required);

  /** The bundle for TLS, which may be reloaded; empty for the certificates of the JVM. */
  Optional<Supplier<SslBundle>> sslBundle();
}
