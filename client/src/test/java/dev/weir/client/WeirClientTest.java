package dev.weir.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.FailurePolicy;
import dev.weir.StoreUnavailableException;
import dev.weir.server.ServerOptions;
import dev.weir.server.WeirServer;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The client against the service itself. */
@Timeout(60)
final class WeirClientTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final String RULES =
      """
      rules:
        - name: api
          limits:
            - {name: minute, key: user, limit: 2 per 400d, algorithm: fixed-window}
      """;

  @TempDir static Path folder;
  private static WeirServer service;

  private final WeirClient client = client().build();

  @BeforeAll
  static void start() throws Exception {
    Path rules = Files.writeString(folder.resolve("weir.yaml"), RULES);
    service =
        WeirServer.start(
            new ServerOptions()
                .host("127.0.0.1")
                .port(0)
                .config(List.of(rules))
                .drain(Duration.ZERO));
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  private static WeirClient.Builder client() {
    return WeirClient.builder(URI.create("http://127.0.0.1:" + service.port()))
        .deadline(PATIENCE)
        .failurePolicy(FailurePolicy.ERROR);
  }

  @Test
  void theThirdRequestIsDeniedWithTheLimitAndTheWait() {
    Map<String, String> ann = Map.of("user", "ann");
    RemoteDecision first = client.check(ann);
    assertThat(first.allowed()).isTrue();
    assertThat(first.source()).isEqualTo("store");
    assertThat(first.receipt()).isPresent();
    assertThat(first.limits())
        .singleElement()
        .satisfies(limit -> assertThat(limit.remaining()).hasValue(1));
    client.check(ann);
    RemoteDecision third = client.check(ann);
    assertThat(third.allowed()).isFalse();
    assertThat(third.deniedBy()).containsExactly("minute");
    assertThat(third.retryAfter()).hasValueSatisfying(wait -> assertThat(wait).isPositive());
  }

  @Test
  void peekTakesNothingAndChargeTakesAlways() {
    Map<String, String> bob = Map.of("user", "bob");
    assertThat(client.peek(bob, 2).allowed()).isTrue();
    assertThat(client.check(bob, 2).allowed()).isTrue();
    assertThat(client.charge(bob, 1).allowed()).isTrue();
    assertThat(client.peek(bob, 1).allowed()).isFalse();
  }

  @Test
  void anAnswerWithoutAThreadThatWaits() {
    assertThat(client.checkAsync(Map.of("user", "eve"), 1))
        .succeedsWithin(PATIENCE)
        .matches(RemoteDecision::allowed);
  }

  @Test
  void aRefusedQuestionSaysWhatTheServiceExpected() {
    assertThatThrownBy(() -> client.check(Map.of("path", "/a%2"), 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("the service refuses the request: ");
    assertThatThrownBy(() -> client.check(Map.of(), -1))
        .hasMessage("permits must be 0 or more, was -1");
  }

  @Test
  void anAddressOfAnotherKindAndAPolicyWithoutStateAreRefused() {
    assertThatThrownBy(() -> WeirClient.builder(URI.create("redis://localhost")))
        .hasMessage("service must be http://host:port or https://host:port, was redis://localhost");
    assertThatThrownBy(() -> client().failurePolicy(FailurePolicy.LOCAL))
        .hasMessage("failurePolicy must be ALLOW, DENY or ERROR, was LOCAL");
    assertThatThrownBy(() -> client().deadline(Duration.ZERO))
        .hasMessage("deadline must be longer than zero, was PT0S");
  }

  @Test
  void withoutTheServiceThePolicyAnswers() {
    URI nobody = URI.create("http://127.0.0.1:1");
    WeirClient.Builder lost = WeirClient.builder(nobody).deadline(PATIENCE);
    RemoteDecision allowed = lost.build().check(Map.of("user", "ann"));
    assertThat(allowed.allowed()).isTrue();
    assertThat(allowed.source()).isEqualTo(RemoteDecision.CLIENT);
    assertThat(lost.failurePolicy(FailurePolicy.DENY).build().check(Map.of()).allowed()).isFalse();
    WeirClient strict = lost.failurePolicy(FailurePolicy.ERROR).build();
    assertThatThrownBy(() -> strict.check(Map.of()))
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessage("the service at http://127.0.0.1:1 did not answer within 20000 ms");
  }
}
