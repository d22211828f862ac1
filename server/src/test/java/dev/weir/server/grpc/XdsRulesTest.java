package dev.weir.server.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import dev.weir.rules.DescriptorEntry;
import dev.weir.rules.DescriptorMatch;
import dev.weir.rules.LiveRules;
import dev.weir.rules.RateUnit;
import dev.weir.rules.RuleSet;
import dev.weir.server.EnvoyOptions;
import dev.weir.server.RunningService;
import dev.weir.server.ServerOptions;
import dev.weir.server.TestCertificate;
import dev.weir.server.grpc.message.ConfiguredDescriptor;
import dev.weir.server.grpc.message.ConfiguredPolicy;
import dev.weir.server.grpc.message.DiscoveryRequest;
import dev.weir.server.grpc.message.RateLimitConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rules from a control plane: good ones, bad ones, and a control plane that goes away. */
final class XdsRulesTest {
  private static final XdsRules.Backoff SHORT =
      new XdsRules.Backoff(Duration.ofMillis(1), Duration.ofMillis(20), new Random(1));

  private final LiveRules rules = new LiveRules(RuleSet.empty());

  @Test
  void goodRulesTakeEffectAndAreAcknowledged() throws Exception {
    try (ControlPlane plane = ControlPlane.start(0);
        XdsRules client = follow(plane, null)) {
      DiscoveryRequest first = plane.connected();
      assertThat(first.getNode().getId()).isEqualTo("envoy-ratelimit");
      assertThat(first.getTypeUrl())
          .isEqualTo("type.googleapis.com/ratelimit.config.ratelimit.v3.RateLimitConfig");
      DiscoveryRequest acknowledged = plane.send("1", config("listener", 5));
      assertThat(acknowledged.getVersionInfo()).isEqualTo("1");
      assertThat(acknowledged.getResponseNonce()).isEqualTo("nonce-1");
      assertThat(acknowledged.hasErrorDetail()).isFalse();
      client.first().get(20, TimeUnit.SECONDS);
      DescriptorMatch match = find("listener");
      assertThat(match.limit().rates().get(0).requests()).isEqualTo(5);
      assertThat(match.limit().rates().get(0).unit()).isEqualTo(RateUnit.HOUR);
      assertThat(match.limit().metadata()).isEqualTo(Map.of("pool", "first"));
    }
  }

  @Test
  void badRulesAreRefusedWithTheReasonAndThoseBeforeStay() throws Exception {
    try (ControlPlane plane = ControlPlane.start(0);
        XdsRules client = follow(plane, null)) {
      plane.connected();
      plane.send("1", config("listener", 5));
      DiscoveryRequest refused = plane.send("2", config("a", 1), config("a", 2));
      assertThat(refused.getVersionInfo()).isEqualTo("1");
      assertThat(refused.getResponseNonce()).isEqualTo("nonce-2");
      assertThat(refused.getErrorDetail().getMessage())
          .contains("domain \"a\" must be there once, was also in xds:");
      assertThat(find("listener")).isNotNull();
      assertThat(plane.send("3", config("b", 1)).getVersionInfo()).isEqualTo("3");
      assertThat(rules.get().descriptors().domains()).containsExactly("b");
      assertThat(client.first()).isCompleted();
    }
  }

  @Test
  void rulesThatAreWithdrawnLimitNothing() throws Exception {
    try (ControlPlane plane = ControlPlane.start(0);
        XdsRules client = follow(plane, null)) {
      plane.connected();
      plane.send("1", config("listener", 5));
      plane.send("2");
      assertThat(rules.get().descriptors().isEmpty()).isTrue();
      assertThat(client.first()).isCompleted();
    }
  }

  @Test
  void aControlPlaneThatVanishesIsFoundAgainAndToldTheLastVersion() throws Exception {
    ControlPlane plane = ControlPlane.start(0);
    int port = plane.port();
    try (XdsRules client = follow(plane, null)) {
      plane.connected();
      plane.send("1", config("listener", 5));
      plane.close();
      await().atMost(Duration.ofSeconds(30)).until(client::isAway);
      assertThat(find("listener")).isNotNull();
      plane = ControlPlane.start(port);
      assertThat(plane.connected().getVersionInfo()).isEqualTo("1");
      plane.send("2", config("listener", 7));
      assertThat(find("listener").limit().rates().get(0).requests()).isEqualTo(7);
      assertThat(client.first()).isCompleted();
    } finally {
      plane.close();
    }
  }

  @Test
  void bothSidesProveWhoTheyAre(@TempDir Path folder) throws Exception {
    TestCertificate certificate = TestCertificate.make(folder);
    Path chain = certificate.files.certificate();
    Path key = certificate.files.key();
    try (FollowedCertificate ofPlane = new FollowedCertificate(chain, key, Optional.of(chain));
        ControlPlane plane = ControlPlane.start(ofPlane.forServer());
        XdsRules client = follow(plane, new FollowedCertificate(chain, key, Optional.of(chain)))) {
      plane.connected();
      plane.send("1", config("listener", 5));
      client.first().get(20, TimeUnit.SECONDS);
      assertThat(find("listener")).isNotNull();
    }
  }

  @Test
  void aServiceIsReadyWhenItsControlPlaneHasSentRules() throws Exception {
    try (ControlPlane plane = ControlPlane.start(0);
        RunningService service = RunningService.start(options(plane.port()))) {
      plane.connected();
      assertThat(service.http.get("/readyz").status()).isEqualTo(503);
      plane.send("1", config("listener", 5));
      await().atMost(Duration.ofSeconds(30)).until(() -> ready(service));
      assertThat(service.server.ruleNames()).containsExactly("listener");
      assertThat(service.http.get("/rlconfig", RunningService.ADMIN).body())
          .startsWith("listener.route_r.rule-0-match-0: unit=HOUR requests_per_unit=5,");
    }
  }

  private static boolean ready(RunningService service) {
    return service.http.get("/readyz").status() == 200;
  }

  private static ServerOptions options(int port) {
    return new ServerOptions()
        .host("127.0.0.1")
        .port(0)
        .drain(Duration.ZERO)
        .adminToken(RunningService.TOKEN)
        .envoy(
            new EnvoyOptions()
                .grpcPort(0)
                .xds(
                    new EnvoyOptions.Xds(
                        "localhost:" + port, "envoy-ratelimit", Optional.empty(), false)));
  }

  private XdsRules follow(ControlPlane plane, FollowedCertificate tls) {
    return XdsRules.start(rules, "localhost:" + plane.port(), "envoy-ratelimit", tls, SHORT);
  }

  private DescriptorMatch find(String domain) {
    return rules
        .get()
        .descriptors()
        .find(
            domain,
            List.of(new DescriptorEntry("route", "r"), new DescriptorEntry("rule-0-match-0", "x")));
  }

  /** As Envoy Gateway sends it. */
  private static RateLimitConfig config(String domain, int requests) {
    ConfiguredDescriptor rule =
        ConfiguredDescriptor.newBuilder()
            .setKey("rule-0-match-0")
            .setRateLimit(ConfiguredPolicy.newBuilder().setUnit(3).setRequestsPerUnit(requests))
            .setMetadata(
                Struct.newBuilder()
                    .putFields("pool", Value.newBuilder().setStringValue("first").build()))
            .build();
    return RateLimitConfig.newBuilder()
        .setName(domain)
        .setDomain(domain)
        .addDescriptors(
            ConfiguredDescriptor.newBuilder().setKey("route").setValue("r").addDescriptors(rule))
        .build();
  }
}
