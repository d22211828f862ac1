package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.Limit;
import dev.weir.RateLimiter;
import dev.weir.StoreUnavailableException;
import dev.weir.redis.RedisDiagnosis.Finding;
import dev.weir.testkit.External;
import dev.weir.testkit.RedisBinary;
import dev.weir.testkit.RedisProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server with a certificate that no JVM trusts, which asks clients for theirs. The embedded Redis
 * has no TLS, so one must be installed.
 */
@Tag("slow")
final class TlsStoreTest {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  @TempDir static Path folder;
  private static Path program;
  private static PemFiles ofServer;
  private static PemFiles ofClient;
  private static RedisProcess redis;
  private static int port;

  @BeforeAll
  static void startServer() throws Exception {
    program = External.require(RedisBinary.installed(), "redis-server");
    ofServer = PemFiles.make(folder, "server");
    ofClient = PemFiles.make(folder, "client");
    port = freePort();
    redis = start(port, ofServer, ofClient);
  }

  private static RedisProcess start(int tlsPort, PemFiles server, PemFiles client) {
    return RedisProcess.start(
        program,
        "--tls-port",
        String.valueOf(tlsPort),
        "--tls-cert-file",
        server.certificate().toString(),
        "--tls-key-file",
        server.key().toString(),
        "--tls-ca-cert-file",
        client.certificate().toString());
  }

  @AfterAll
  static void stopServer() {
    if (redis != null) {
      redis.close();
    }
  }

  @Test
  void aServerWithAnAuthorityOfItsOwnIsUsedWithACertificate() {
    try (RedisStore store = builder().tls(both()).build()) {
      assertThat(limiter(store).tryAcquire("ann")).isTrue();
      assertThat(limiter(store).tryAcquire("ann")).isFalse();
    }
  }

  @Test
  void aServerThatTheAuthoritiesHaveNotSignedIsRefused() {
    assertThatThrownBy(() -> builder().build())
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageContaining("unable to find valid certification path");
    RedisTls others =
        RedisTls.trusting(ofClient.certificate())
            .withCertificate(ofClient.certificate(), ofClient.key());
    assertThatThrownBy(() -> builder().tls(others).build())
        .isInstanceOf(StoreUnavailableException.class);
  }

  @Test
  void aServerThatAsksForACertificateRefusesAClientWithout() {
    assertThatThrownBy(() -> builder().tls(RedisTls.trusting(ofServer.certificate())).build())
        .isInstanceOf(StoreUnavailableException.class);
  }

  @Test
  void renewedFilesAreReadWhenTheStoreConnectsAgain() throws Exception {
    PemFiles server = ofServer.copyTo(Files.createDirectory(folder.resolve("renewed-server")));
    PemFiles client = ofClient.copyTo(Files.createDirectory(folder.resolve("renewed-client")));
    int other = freePort();
    try (RedisProcess renewed = start(other, server, client);
        RedisStore store = builder(other).tls(both(server, client)).build()) {
      assertThat(limiter(store).tryAcquire("ann")).isTrue();
      renewed.kill();
      ofClient.copyTo(server.certificate().getParent()); // server and client change places
      ofServer.copyTo(client.certificate().getParent());
      renewed.restart();
      await()
          .atMost(Duration.ofSeconds(30))
          .ignoreExceptions()
          .until(() -> limiter(store).tryAcquire("bob"));
    }
  }

  @Test
  void aDiagnosisUsesTheSameCertificates() {
    assertThat(RedisDiagnosis.examine(uri(), Optional.of(both()), "default", PATIENCE))
        .extracting(Finding::text)
        .contains("answers, over TLS");
  }

  @Test
  void certificatesForAnAddressWithoutTlsAreRefused() {
    assertThatThrownBy(() -> RedisStore.builder("redis://:secret@localhost:1").tls(both()).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "address must begin with rediss, because certificates are given;"
                + " was redis://***@localhost:1");
  }

  @Test
  void aFileThatCannotBeUsedIsNamedAtTheStart() throws IOException {
    Path broken = Files.writeString(folder.resolve("broken.pem"), "no certificate");
    RedisStore.Builder builder =
        RedisStore.builder(uri()).startWithoutServer().tls(RedisTls.trusting(broken));
    assertThatThrownBy(builder::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("certificates of the store cannot be used: " + broken + ": ");
    Path missing = folder.resolve("missing.pem");
    assertThatThrownBy(() -> builder().tls(RedisTls.trusting(missing)).build())
        .hasMessageStartingWith("certificates of the store cannot be used: " + missing + ": ");
  }

  private static RedisTls both() {
    return both(ofServer, ofClient);
  }

  private static RedisTls both(PemFiles server, PemFiles client) {
    return RedisTls.trusting(server.certificate())
        .withCertificate(client.certificate(), client.key());
  }

  private static RedisStore.Builder builder() {
    return builder(port);
  }

  private static RedisStore.Builder builder(int tlsPort) {
    return RedisStore.builder("rediss://localhost:" + tlsPort)
        .timeout(PATIENCE)
        .connectTimeout(PATIENCE);
  }

  private static String uri() {
    return "rediss://localhost:" + port;
  }

  private static RateLimiter limiter(RedisStore store) {
    return RateLimiter.builder()
        .store(store)
        .name("tls")
        .limit("day", Limit.tokenBucket(1, Duration.ofDays(1)))
        .build();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
