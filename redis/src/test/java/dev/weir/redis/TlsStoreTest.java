package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.Limit;
import dev.weir.RateLimiter;
import dev.weir.StoreUnavailableException;
import dev.weir.redis.RedisDiagnosis.Finding;
import dev.weir.redis.RedisDiagnosis.Severity;
import dev.weir.redis.RedisTls.Verification;
import dev.weir.testkit.PemFiles;
import dev.weir.testkit.TlsRedis;
import io.lettuce.core.SslOptions;
import java.io.IOException;
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
  private static PemFiles ofServer;
  private static PemFiles ofClient;
  private static TlsRedis redis;

  @BeforeAll
  static void startServer() throws Exception {
    ofServer = PemFiles.make(folder, "server");
    ofClient = PemFiles.make(folder, "client");
    redis = TlsRedis.start(ofServer, ofClient);
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
    try (TlsRedis renewed = TlsRedis.start(server, client);
        RedisStore store = builder(renewed.uri()).tls(both(server, client)).build()) {
      assertThat(limiter(store).tryAcquire("ann")).isTrue();
      renewed.process().kill();
      ofClient.copyTo(server.certificate().getParent()); // server and client change places
      ofServer.copyTo(client.certificate().getParent());
      renewed.process().restart();
      await()
          .atMost(Duration.ofSeconds(30))
          .ignoreExceptions()
          .until(() -> limiter(store).tryAcquire("bob"));
    }
  }

  @Test
  void theHostNameIsCheckedUnlessThatIsSwitchedOff() throws Exception {
    PemFiles elsewhere = PemFiles.make(folder, "elsewhere", "dns:redis.example");
    RedisTls full = both(elsewhere, ofClient);
    try (TlsRedis other = TlsRedis.start(elsewhere, ofClient)) {
      assertThatThrownBy(() -> builder(other.uri()).tls(full).build())
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessageContaining("No subject alternative DNS name matching localhost found");
      assertUsedWithWarning(builder(other.uri() + "?verifyPeer=CA").tls(full), "(verifyPeer=CA)");
      RedisTls withoutHost = full.withVerification(Verification.CA);
      assertUsedWithWarning(builder(other.uri()).tls(withoutHost), "(verifyPeer=CA)");
      RedisTls options = full.withVerification(Verification.FULL);
      assertThatThrownBy(() -> builder(other.uri() + "?verifyPeer=NONE").tls(options).build())
          .as("options win over the address")
          .isInstanceOf(StoreUnavailableException.class);
    }
  }

  private static void assertUsedWithWarning(RedisStore.Builder builder, String warning) {
    try (RedisStore store = builder.build()) {
      assertThat(limiter(store).tryAcquire(warning + builder.hashCode())).isTrue();
      assertThat(store.warnings()).singleElement().asString().contains(warning);
    }
  }

  @Test
  void withoutTheHostNameTheAuthorityIsStillChecked() {
    RedisTls others = both(ofClient, ofClient).withVerification(Verification.CA);
    assertThatThrownBy(() -> builder().tls(others).build())
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageContaining("unable to find valid certification path");
  }

  @Test
  void nothingIsCheckedIfThatIsAskedFor() throws Exception {
    PemFiles elsewhere = PemFiles.make(folder, "nowhere", "dns:redis.example");
    try (TlsRedis other = TlsRedis.start(elsewhere, ofClient)) {
      RedisTls client = both(ofServer, ofClient); // trusts another certificate
      assertUsedWithWarning(
          builder(other.uri() + "?verifyPeer=NONE").tls(client), "(verifyPeer=NONE)");
    }
  }

  @Test
  void aClustersNodesAreReachedWithoutTheirHostNames() throws Exception {
    // The address of a Cluster whose servers are no Cluster: the first connection is what counts.
    PemFiles elsewhere = PemFiles.make(folder, "cluster", "dns:redis.example");
    try (TlsRedis other = TlsRedis.start(elsewhere, ofClient)) {
      String uri = other.uri().replace("rediss:", "rediss-cluster:");
      RedisTls tls = both(elsewhere, ofClient);
      assertThatThrownBy(() -> builder(uri).tls(tls).build())
          .hasMessageContaining("No subject alternative DNS name");
      assertThatThrownBy(() -> builder(uri + "?verifyPeer=CA").tls(tls).build())
          .hasMessageContaining("cluster support disabled");
    }
  }

  @Test
  void theClientsOwnOptionsAreUsedInThePlaceOfFiles() {
    SslOptions options =
        SslOptions.builder()
            .trustManager(ofServer.certificate().toFile())
            .keyManager(ofClient.certificate().toFile(), ofClient.key().toFile(), new char[0])
            .build();
    try (RedisStore store = builder().sslOptions(options).build()) {
      assertThat(limiter(store).tryAcquire("options")).isTrue();
      assertThat(store.warnings()).isEmpty();
    }
    assertThatThrownBy(() -> builder().sslOptions(options).tls(both()).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("files of tls and sslOptions must not both be given");
    assertThatThrownBy(() -> RedisStore.builder("redis://a:1").sslOptions(options).build())
        .hasMessage(
            "address must begin with rediss, because options of TLS are given; was redis://a:1");
  }

  @Test
  void aDiagnosisWarnsOfWhatIsNotChecked() {
    assertThat(
            RedisDiagnosis.examine(
                redis.uri() + "?verifyPeer=CA", Optional.of(both()), "default", PATIENCE))
        .filteredOn(finding -> finding.severity() == Severity.WARNING)
        .extracting(Finding::subject)
        .contains("certificate");
  }

  @Test
  void aDiagnosisUsesTheSameCertificates() {
    assertThat(RedisDiagnosis.examine(redis.uri(), Optional.of(both()), "default", PATIENCE))
        .extracting(Finding::text)
        .contains("answers, over TLS");
  }

  @Test
  void certificatesForAnAddressWithoutTlsAreRefused() {
    assertThatThrownBy(() -> RedisStore.builder("redis://:secret@localhost:1").tls(both()).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "address must begin with rediss, because options of TLS are given;"
                + " was redis://***@localhost:1");
  }

  @Test
  void aFileThatCannotBeUsedIsNamedAtTheStart() throws IOException {
    Path broken = Files.writeString(folder.resolve("broken.pem"), "no certificate");
    RedisStore.Builder builder =
        RedisStore.builder(redis.uri()).startWithoutServer().tls(RedisTls.trusting(broken));
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
    return builder(redis.uri());
  }

  private static RedisStore.Builder builder(String uri) {
    return RedisStore.builder(uri).timeout(PATIENCE).connectTimeout(PATIENCE);
  }

  private static RateLimiter limiter(RedisStore store) {
    return RateLimiter.builder()
        .store(store)
        .name("tls")
        .limit("day", Limit.tokenBucket(1, Duration.ofDays(1)))
        .build();
  }
}
