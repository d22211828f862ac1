package dev.weir.server.grpc;

import dev.weir.internal.schedule.RepeatingTask;
import dev.weir.internal.schedule.Workers;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.util.AdvancedTlsX509KeyManager;
import io.grpc.util.AdvancedTlsX509TrustManager;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLException;

/**
 * TLS for gRPC, from files as PEM that may be renewed.
 *
 * <p>As for HTTP, the files are read every two seconds, and changed ones are used for new
 * connections once two reads in a row found the same content, so that a certificate and its key may
 * be replaced one after the other. Files that cannot be used are logged, and the previous ones stay
 * in use.
 */
public final class FollowedCertificate implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(FollowedCertificate.class.getName());
  private static final Duration POLL_INTERVAL = Duration.ofSeconds(2);

  private final Path certificate;
  private final Path key;
  private final Optional<Path> authorities;
  private final AdvancedTlsX509KeyManager identity = new AdvancedTlsX509KeyManager();
  private final AdvancedTlsX509TrustManager trusted;
  private final RepeatingTask polling;
  private List<String> current;
  private List<String> seen;

  /**
   * @param authorities who must have signed the other side's certificate; without, a server asks
   *     for none and a client trusts those of the JVM
   * @throws IllegalStateException if a file cannot be used
   */
  public FollowedCertificate(Path certificate, Path key, Optional<Path> authorities) {
    this.certificate = certificate;
    this.key = key;
    this.authorities = authorities;
    try {
      this.trusted = AdvancedTlsX509TrustManager.newBuilder().build();
      this.current = read();
      this.seen = current;
      use();
    } catch (IOException | GeneralSecurityException | IllegalArgumentException unusable) {
      throw unusable(unusable);
    }
    this.polling = new RepeatingTask("reading certificates", Workers.EXECUTOR, this::poll);
    polling.start(POLL_INTERVAL);
  }

  SslContext forServer() {
    SslContextBuilder builder = GrpcSslContexts.configure(SslContextBuilder.forServer(identity));
    if (authorities.isPresent()) {
      builder.trustManager(trusted).clientAuth(ClientAuth.REQUIRE);
    }
    return built(builder);
  }

  SslContext forClient() {
    SslContextBuilder builder = GrpcSslContexts.forClient().keyManager(identity);
    if (authorities.isPresent()) {
      builder.trustManager(trusted);
    }
    return built(builder);
  }

  private SslContext built(SslContextBuilder builder) {
    try {
      return builder.build();
    } catch (SSLException unusable) {
      throw unusable(unusable);
    }
  }

  private IllegalStateException unusable(Exception why) {
    return new IllegalStateException(
        "the certificate " + certificate + " or its key cannot be used: " + why.getMessage(), why);
  }

  private List<String> read() throws IOException {
    List<String> texts = new ArrayList<>();
    texts.add(Files.readString(certificate));
    texts.add(Files.readString(key));
    if (authorities.isPresent()) {
      texts.add(Files.readString(authorities.get()));
    }
    return texts;
  }

  private void use() throws IOException, GeneralSecurityException {
    identity.updateIdentityCredentials(certificate.toFile(), key.toFile());
    if (authorities.isPresent()) {
      trusted.updateTrustCredentials(authorities.get().toFile());
    }
  }

  private void poll() {
    try {
      List<String> now = read();
      boolean settled = now.equals(seen);
      seen = now;
      if (settled && !now.equals(current)) {
        current = now; // also if it is refused: said once, and not tried again
        use();
        LOG.log(Level.INFO, "new certificate for gRPC");
      }
    } catch (IOException | GeneralSecurityException | IllegalArgumentException refused) {
      LOG.log(
          Level.ERROR,
          "the new certificate for gRPC cannot be used, the one before stays: "
              + refused.getMessage());
    }
  }

  @Override
  public void close() {
    polling.close();
  }
}
