package dev.weir.server.grpc;

import io.grpc.netty.GrpcSslContexts;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.nio.file.Path;
import java.util.Optional;
import javax.net.ssl.SSLException;

/** TLS for gRPC, from files as PEM. */
public final class TlsContexts {
  private TlsContexts() {}

  /**
   * @param authorities if given, clients need a certificate that they have signed
   * @throws IllegalStateException if a file cannot be used
   */
  public static SslContext server(Path certificate, Path key, Optional<Path> authorities) {
    try {
      SslContextBuilder builder = GrpcSslContexts.forServer(certificate.toFile(), key.toFile());
      authorities.ifPresent(
          file -> builder.trustManager(file.toFile()).clientAuth(ClientAuth.REQUIRE));
      return builder.build();
    } catch (SSLException | IllegalArgumentException unusable) {
      throw unusable(certificate, unusable);
    }
  }

  /**
   * @param authorities who must have signed the server's certificate; empty for those of the JVM
   * @throws IllegalStateException if a file cannot be used
   */
  public static SslContext client(Path certificate, Path key, Optional<Path> authorities) {
    try {
      SslContextBuilder builder =
          GrpcSslContexts.forClient().keyManager(certificate.toFile(), key.toFile());
      authorities.ifPresent(file -> builder.trustManager(file.toFile()));
      return builder.build();
    } catch (SSLException | IllegalArgumentException unusable) {
      throw unusable(certificate, unusable);
    }
  }

  private static IllegalStateException unusable(Path certificate, Exception why) {
    return new IllegalStateException(
        "the certificate " + certificate + " or its key cannot be used: " + why.getMessage(), why);
  }
}
