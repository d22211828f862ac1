package dev.weir.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.ManualTime;
import dev.weir.MemoryStore;
import dev.weir.rules.LiveRules;
import dev.weir.rules.RuleSet;
import dev.weir.spi.LimitStore;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Every example does what it says, over real connections. */
final class ExamplesTest {
  private static final Logger CONTAINER = Logger.getLogger("org.apache");

  static {
    CONTAINER.setLevel(Level.OFF);
  }

  private final ManualTime time = new ManualTime();
  private final LimitStore store = MemoryStore.builder().time(time).build();
  private final HttpClient client = HttpClient.newHttpClient();

  @AfterEach
  void closeStore() {
    store.close();
  }

  @Test
  void loginsAreThrottledPerEmailAndPerAddress() throws Exception {
    try (TomcatExample server = new TomcatExample(0, LoginThrottling.filter(store))) {
      for (int i = 0; i < 5; i++) {
        assertThat(login(server, "a@example.org").statusCode()).isEqualTo(200);
      }
      HttpResponse<String> denied = login(server, "A@Example.org");
      assertThat(denied.statusCode()).isEqualTo(429);
      assertThat(denied.body()).contains("\"violated-policies\":[\"login-email\"]");
      for (int i = 0; i < 5; i++) {
        assertThat(login(server, i + "@example.org").statusCode()).isEqualTo(200);
      }
      assertThat(login(server, "b@example.org").body()).contains("[\"login-ip-minute\"]");
      assertThat(get(server.port(), "/login").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void thePlanSetsTheLimitAndRulesChangeWhileTheyAreInUse() throws Exception {
    LiveRules rules = PlanTiers.rules();
    try (TomcatExample server = new TomcatExample(0, PlanTiers.filter(rules, store))) {
      assertThat(allowedOf(110, server.port(), "/api/x", "X-Api-Key", "key-1")).isEqualTo(100);
      assertThat(allowedOf(110, server.port(), "/api/x", "X-Api-Key", "key-2")).isEqualTo(110);
      assertThat(allowedOf(30, server.port(), "/api/x")).isEqualTo(20);
      rules.replace(RuleSet.parse("raised", PlanTiers.RULES.replace("free: 100", "free: 105")));
      assertThat(allowedOf(20, server.port(), "/api/x", "X-Api-Key", "key-1")).isEqualTo(5);
    }
  }

  @Test
  void everyAddressBehindTheProxyHasItsOwnLimit() throws Exception {
    try (TomcatExample server = new TomcatExample(0, AddressDefence.filter(store))) {
      for (String address : List.of("192.0.2.1", "192.0.2.2")) {
        assertThat(allowedOf(101, server.port(), "/", "X-Forwarded-For", address)).isEqualTo(100);
      }
      time.advance(Duration.ofMinutes(1));
      assertThat(allowedOf(1, server.port(), "/", "X-Forwarded-For", "192.0.2.1")).isEqualTo(1);
    }
  }

  @Test
  void whatARequestReallyCostIsSettledAfterwards() {
    FairUse fairUse =
        new FairUse(store, prompt -> new FairUse.Completion("done", Long.parseLong(prompt)));
    assertThat(fairUse.complete("acme", "7000", 4000)).isPresent();
    assertThat(fairUse.remaining("acme")).isEqualTo(3000);
    assertThat(fairUse.complete("acme", "1", 4000)).isEmpty();
    assertThat(fairUse.complete("acme", "500", 3000)).isPresent();
    assertThat(fairUse.remaining("acme")).isEqualTo(2500);
    assertThat(fairUse.complete("acme", "5000", 2500)).isPresent();
    time.advance(Duration.ofSeconds(15));
    assertThat(fairUse.complete("acme", "1", 1)).as("2500 are owed").isEmpty();
    assertThat(fairUse.complete("globex", "1", 10_000)).isPresent();
  }

  @Test
  void theGatewayForwardsWhatItsLimitsAllow() throws Exception {
    try (TomcatExample backend = new TomcatExample(0, (in, out, chain) -> chain.doFilter(in, out));
        GatewayProtection gateway =
            new GatewayProtection(0, URI.create("http://127.0.0.1:" + backend.port()), store)) {
      HttpResponse<String> passed = get(gateway.port(), "/search?q=1");
      assertThat(passed.body()).isEqualTo("hello\n");
      assertThat(passed.headers().firstValue("RateLimit-Policy"))
          .contains("\"total\";q=2000;w=1, \"client\";q=50;w=1, \"search\";q=20;w=10");
      assertThat(allowedOf(30, gateway.port(), "/search")).isEqualTo(19);
      assertThat(allowedOf(100, gateway.port(), "/")).as("20 are used").isEqualTo(80);
    }
  }

  @Test
  void callsOfGrpcAreLimitedByKeyAndByMethod() throws Exception {
    Server server = GrpcProtection.server(0, store).start();
    ManagedChannel channel =
        Grpc.newChannelBuilderForAddress(
                "127.0.0.1", server.getPort(), InsecureChannelCredentials.create())
            .build();
    Metadata key = new Metadata();
    key.put(Metadata.Key.of("x-api-key", Metadata.ASCII_STRING_MARSHALLER), "k");
    var health =
        HealthGrpc.newBlockingStub(channel)
            .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(key));
    int allowed = 0;
    try {
      for (; allowed < 20; allowed++) {
        health.check(HealthCheckRequest.getDefaultInstance());
      }
    } catch (StatusRuntimeException denied) {
      assertThat(denied.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
      assertThat(denied.getStatus().getDescription()).endsWith("health-ip");
    } finally {
      channel.shutdownNow();
      server.shutdownNow();
    }
    assertThat(allowed).isEqualTo(10);
  }

  private int allowedOf(int requests, int port, String path, String... fields) throws Exception {
    int allowed = 0;
    for (int i = 0; i < requests; i++) {
      allowed += get(port, path, fields).statusCode() == 200 ? 1 : 0;
    }
    return allowed;
  }

  private HttpResponse<String> get(int port, String path, String... fields)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = request(port, path);
    return client.send(
        (fields.length > 0 ? request.headers(fields) : request).build(), BodyHandlers.ofString());
  }

  private HttpResponse<String> login(TomcatExample server, String email)
      throws IOException, InterruptedException {
    HttpRequest request =
        request(server.port(), "/login")
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString("email=" + email))
            .build();
    return client.send(request, BodyHandlers.ofString());
  }

  private static HttpRequest.Builder request(int port, String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
  }
}
