package dev.weir.redis.internal.connection;

import dev.weir.redis.RedisTls;
import io.lettuce.core.SslOptions;
import java.io.IOException;
import java.security.GeneralSecurityException;

/** Certificates as the client's options. The client reads the files for every new connection. */
public final class TlsOptions {
  private TlsOptions() {}

  /**
   * @throws IllegalArgumentException if the address is without TLS, or a file cannot be used now
   */
  public static SslOptions of(RedisTls tls, ServerAddress address) {
    if (!address.tls()) {
      throw new IllegalArgumentException(
          "address must begin with rediss, because certificates are given; was " + address);
    }
    SslOptions.Builder builder = SslOptions.builder();
    tls.authorities().ifPresent(file -> builder.trustManager(file.toFile()));
    tls.certificate()
        .ifPresent(
            own -> builder.keyManager(own.chain().toFile(), own.key().toFile(), new char[0]));
    SslOptions options = builder.build();
    tryOut(tls, options);
    return options;
  }

  /** A wrong file would otherwise show only as a server that cannot be reached. */
  private static void tryOut(RedisTls tls, SslOptions options) {
    try {
      options.createSslContextBuilder().build();
    } catch (IOException | GeneralSecurityException | RuntimeException unusable) {
      throw new IllegalArgumentException(
          "certificates of the store cannot be used: " + files(tls) + ": " + unusable.getMessage(),
          unusable);
    }
  }

  private static String files(RedisTls tls) {
    StringBuilder names = new StringBuilder();
    tls.authorities().ifPresent(names::append);
    tls.certificate()
        .ifPresent(
            own ->
                names
                    .append(names.isEmpty() ? "" : ", ")
                    .append(own.chain())
                    .append(", ")
                    .append(own.key()));
    return names.toString();
  }
}
