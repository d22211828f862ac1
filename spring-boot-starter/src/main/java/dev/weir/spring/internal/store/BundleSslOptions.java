package dev.weir.spring.internal.store;

import io.lettuce.core.SslOptions;
import io.netty.handler.ssl.SslContextBuilder;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslManagerBundle;

/** An SSL bundle as options of the Redis client. */
final class BundleSslOptions {
  private BundleSslOptions() {}

  /**
   * Asks for the bundle at every new connection, so that one that was reloaded is used.
   *
   * @param bundle asked now as well, so that a bundle that is missing ends the start
   */
  static SslOptions of(Supplier<SslBundle> bundle) {
    bundle.get();
    return SslOptions.builder().sslContext(context -> apply(bundle.get(), context)).build();
  }

  private static void apply(SslBundle bundle, SslContextBuilder context) {
    SslManagerBundle managers = bundle.getManagers();
    context
        .keyManager(managers.getKeyManagerFactory())
        .trustManager(managers.getTrustManagerFactory());
    String[] ciphers = bundle.getOptions().getCiphers();
    if (ciphers != null) {
      context.ciphers(List.of(ciphers));
    }
    String[] protocols = bundle.getOptions().getEnabledProtocols();
    if (protocols != null) {
      context.protocols(protocols);
    }
  }
}
