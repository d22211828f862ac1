package dev.weir.redis.internal.connection;

import dev.weir.redis.RedisTls;
import io.lettuce.core.SslOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** TLS as the client's options. The client reads the files for every new connection. */
public final class TlsOptions {
  private TlsOptions() {}

  /**
   * The caller's own options, or options made from files; empty if neither is given.
   *
   * @throws IllegalArgumentException if both are given, the address is without TLS, or a file
   *     cannot be used now
   */
  static Optional<SslOptions> of(ConnectionSettings settings) {
    ServerAddress address = settings.address();
    if (settings.sslOptions().isEmpty()) {
      return settings.tls().map(tls -> of(tls, address));
    }
    if (settings.tls().filter(tls -> !files(tls).isEmpty()).isPresent()) {
      throw new IllegalArgumentException("files of tls and sslOptions must not both be given");
    }
    refuseWithoutTls(address);
    return settings.sslOptions();
  }

  private static void refuseWithoutTls(ServerAddress address) {
    if (!address.tls()) {
      throw new IllegalArgumentException(
          "address must begin with rediss, because options of TLS are given; was " + address);
    }
  }

  /**
   * @throws IllegalArgumentException if the address is without TLS, or a file cannot be used now
   */
  public static SslOptions of(RedisTls tls, ServerAddress address) {
    refuseWithoutTls(address);
    try {
      SslOptions options = options(tls);
      // Without this check, a wrong file would look like a server that cannot be reached.
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
