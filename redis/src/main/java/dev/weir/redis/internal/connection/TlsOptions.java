package dev.weir.redis.internal.connection;

import dev.weir.redis.RedisTls;
import io.lettuce.core.SslOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

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
    try {
      SslOptions options = options(tls);
      // A wrong file would otherwise show only as a server that cannot be reached.
      options.createSslContextBuilder().build();
      return options;
    } catch (IOException | GeneralSecurityException | RuntimeException unusable) {
      throw new IllegalArgumentException(
          "certificates of the store cannot be used: " + files(tls) + ": " + unusable.getMessage(),
          unusable);
    }
  }

  private static SslOptions options(RedisTls tls) {
    SslOptions.Builder builder = SslOptions.builder();
    tls.authorities().ifPresent(file -> builder.trustManager(file.toFile()));
    tls.certificate()
        .ifPresent(
            own -> builder.keyManager(own.chain().toFile(), own.key().toFile(), new char[0]));
    return builder.build();
  }

  private static String files(RedisTls tls) {
    List<Path> files = new ArrayList<>();
    tls.authorities().ifPresent(files::add);
    tls.certificate().ifPresent(own -> files.addAll(List.of(own.chain(), own.key())));
    return files.stream().map(Path::toString).collect(Collectors.joining(", "));
  }
}
