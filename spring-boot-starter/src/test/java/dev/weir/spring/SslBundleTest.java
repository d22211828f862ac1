package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Policy;
import dev.weir.RateLimiter;
import dev.weir.Source;
import dev.weir.redis.StoreAddress;
import dev.weir.spi.LimitStore;
import dev.weir.testkit.PemFiles;
import dev.weir.testkit.TlsRedis;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A Redis with a certificate that no JVM trusts, which asks the application for its own. */
@Tag("external")
final class SslBundleTest {
  private static final Policy ONE = Policy.of("rule", "one", Limit.fixedWindow(1, ofHours(1)));

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

  private static Duration ofHours(int hours) {
    return Duration.ofHours(hours);
  }

  @Test
  void theBundleOfTheApplicationsRedisIsUsed() {
    assertUsed(
        Plain.class,
        bundle(ofServer, ofClient),
        "spring.data.redis.host=localhost",
        "spring.data.redis.port=" + redis.port(),
        "spring.data.redis.ssl.bundle=own");
  }

  @Test
  void aBundleMeansTlsAlsoForAUrlThatDoesNotSaySo() {
    assertUsed(
        Plain.class,
        bundle(ofServer, ofClient),
        "spring.data.redis.url=redis://localhost:" + redis.port(),
        "spring.data.redis.ssl.bundle=own");
  }

  @Test
  void theBundleMayBeThatOfABean() {
    assertUsed(WithDetails.class, bundle(ofServer, ofClient));
  }

  @Test
  void anAddressOfItsOwnHasABundleOfItsOwn() {
    assertUsed(
        Plain.class,
        bundle(ofServer, ofClient),
        "weir.store=" + redis.uri(),
        "weir.redis.ssl-bundle=own");
  }

  @Test
  void theBundleOfTheApplicationIsNotShownToAnotherServer() {
    Stream<String> properties =
        Stream.concat(
            bundle(ofServer, ofClient),
            Stream.of("spring.data.redis.ssl.bundle=own", "weir.store=" + redis.uri()));
    assertThatThrownBy(() -> start(Plain.class, properties))
        .rootCause()
        .hasMessageContaining("unable to find valid certification path");
  }

  @Test
  void theHostNameIsCheckedUnlessThatIsSwitchedOff() throws Exception {
    PemFiles elsewhere = PemFiles.make(folder, "elsewhere", "dns:redis.example");
    try (TlsRedis other = TlsRedis.start(elsewhere, ofClient)) {
      String[] address = {
        "spring.data.redis.url=" + other.uri(), "spring.data.redis.ssl.bundle=own"
      };
      assertThatThrownBy(
              () ->
                  start(
                      Plain.class, Stream.concat(bundle(elsewhere, ofClient), Stream.of(address))))
          .rootCause()
          .hasMessageContaining("No subject alternative DNS name matching localhost found");
      Stream<String> withoutHost =
          Stream.concat(Stream.of(address), Stream.of("weir.redis.verify-peer=ca"));
      try (ConfigurableApplicationContext application =
          start(Plain.class, Stream.concat(bundle(elsewhere, ofClient), withoutHost))) {
        assertThat(decide(application, "a").source()).isEqualTo(Source.STORE);
        assertThat(application.getBean(LimitStore.class).warnings())
            .singleElement()
            .asString()
            .contains("(verifyPeer=CA)");
      }
    }
  }

  @Test
  void aReloadedBundleIsUsedByTheNextConnection() throws Exception {
    PemFiles server = ofServer.copyTo(Files.createDirectory(folder.resolve("renewed-server")));
    PemFiles client = ofClient.copyTo(Files.createDirectory(folder.resolve("renewed-client")));
    try (TlsRedis renewed = TlsRedis.start(server, client);
        ConfigurableApplicationContext application =
            start(
                Plain.class,
                Stream.concat(
                    bundle(server, client),
                    Stream.of(
                        "spring.ssl.bundle.pem.own.reload-on-update=true",
                        "spring.ssl.bundle.watch.file.quiet-period=50ms",
                        "spring.data.redis.url=" + renewed.uri(),
                        "spring.data.redis.ssl.bundle=own")))) {
      assertThat(decide(application, "a").source()).isEqualTo(Source.STORE);
      renewed.process().kill();
      ofClient.copyTo(server.certificate().getParent()); // server and client change places
      ofServer.copyTo(client.certificate().getParent());
      renewed.process().restart();
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> decide(application, "b").source() == Source.STORE);
    }
  }

  private static void assertUsed(Class<?> type, Stream<String> bundle, String... properties) {
    String key = UUID.randomUUID().toString();
    try (ConfigurableApplicationContext application =
        start(type, Stream.concat(bundle, Stream.of(properties)))) {
      assertThat(application.getBean(StoreAddress.class)).hasToString(redis.uri());
      assertThat(application.getBean(LimitStore.class).warnings()).isEmpty();
      assertThat(decide(application, key).allowed()).isTrue();
      assertThat(decide(application, key).allowed()).isFalse();
    }
  }

  private static Decision decide(ConfigurableApplicationContext application, String key) {
    return application.getBean(RateLimiter.class).decide(List.of(Claim.of(ONE, key)));
  }

  private static Stream<String> bundle(PemFiles server, PemFiles client) {
    String pem = "spring.ssl.bundle.pem.own.";
    return Stream.of(
        pem + "truststore.certificate=file:" + server.certificate(),
        pem + "keystore.certificate=file:" + client.certificate(),
        pem + "keystore.private-key=file:" + client.key(),
        "weir.redis.deadline=20s",
        "weir.redis.connect-timeout=20s");
  }

  private static ConfigurableApplicationContext start(Class<?> type, Stream<String> properties) {
    return new SpringApplicationBuilder(type)
        .web(WebApplicationType.NONE)
        .run(
            Stream.concat(Stream.of("logging.level.root=warn"), properties)
                .map(property -> "--" + property)
                .toArray(String[]::new));
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Plain {}

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class WithDetails {
    @Bean
    DataRedisConnectionDetails details(SslBundles bundles) {
      return new DataRedisConnectionDetails() {
        @Override
        public Standalone getStandalone() {
          return Standalone.of("localhost", redis.port());
        }

        @Override
        public SslBundle getSslBundle() {
          return bundles.getBundle("own");
        }
      };
    }
  }
}
