package dev.weir.server.http.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.server.RawHttp;
import dev.weir.server.RunningService;
import dev.weir.server.ServerOptions;
import dev.weir.server.WeirServer;
import dev.weir.testkit.FaultReport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may administer a service that was started without rules and without a token. */
final class DemonstrationTest {
  private static int refused;
  private RunningService demo;

  @AfterAll
  static void report() {
    FaultReport.row(
        "64 demonstration administered through a proxy, from another site or name",
        refused,
        "403 each");
  }

  @BeforeEach
  void start() {
    demo = RunningService.start(demonstration());
  }

  @AfterEach
  void stop() {
    demo.close();
  }

  @Test
  void aProgramOnThisMachineMay() {
    assertThat(demo.http.put("/v1/kill-switch", "").status()).isEqualTo(200);
    assertThat(status("Origin: http://localhost:" + demo.server.port())).isEqualTo(200);
    assertThat(status("Sec-Fetch-Site: same-origin")).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "X-Forwarded-For: 192.0.2.1",
        "X-Forwarded-Proto: https",
        "Forwarded: for=192.0.2.1",
        "X-Real-IP: 192.0.2.1",
        "Via: 1.1 proxy",
        "X-Original-URI: /",
        "Origin: https://attacker.example",
        "Origin: null",
        "Origin: http://localhost.attacker.example",
        "Origin: http://localhost:1", // another port is another origin
        "Origin: http://localhost",
        "Origin: http://[::1]:5",
        "Sec-Fetch-Site: cross-site",
        "Sec-Fetch-Site: same-site"
      })
  void nobodyMayThroughAProxyOrFromAPageOfAnotherSite(String field) {
    assertThat(status(field)).isEqualTo(403);
    assertThat(demo.http.get("/healthz").json().getBoolean("killSwitch")).isFalse();
    refused++;
  }

  /** A page whose own name resolves to this machine sends that name as Host. */
  @ParameterizedTest
  @ValueSource(
      strings = {"attacker.example", "localhost.attacker.example", "127.0.0.1.nip.example"})
  void nobodyMayUnderAnotherName(String host) {
    String request = "GET /v1/switches HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n";
    assertThat(RawHttp.send(demo.server.port(), "127.0.0.1", request).status()).isEqualTo(403);
    refused++;
  }

  @Test
  void theRefusalSaysWhy() {
    assertThat(demo.http.get("/v1/switches", "X-Forwarded-For", "192.0.2.1").detail())
        .isEqualTo(
            "without an admin token only direct requests of this machine may do this:"
                + " it was forwarded by a proxy, as the field X-Forwarded-For shows");
  }

  @Test
  void aDemonstrationListensOnThisMachineOnlyAndAServiceWithRulesEverywhere(
      @TempDir Path directory) {
    assertThat(new ServerOptions().host()).isEqualTo("127.0.0.1");
    assertThat(new ServerOptions().config(List.of(directory)).host()).isEqualTo("0.0.0.0");
    assertThat(new ServerOptions().host("192.0.2.1").host()).isEqualTo("192.0.2.1");
  }

  @Test
  void sampleRulesAreNotServedOverAStoreThatOthersUse() {
    ServerOptions options = demonstration().store("redis://127.0.0.1:1");
    assertThatThrownBy(() -> WeirServer.start(options))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "sample rules are served from memory only: give rules of your own, or no store");
    FaultReport.row("64 demonstration over a shared store", 1, "start refused");
  }

  private int status(String field) {
    int port = demo.server.port();
    String request =
        "GET /v1/switches HTTP/1.1\r\nHost: localhost:%d\r\n%s\r\nConnection: close\r\n\r\n";
    return RawHttp.send(port, "127.0.0.1", request.formatted(port, field)).status();
  }

  private static ServerOptions demonstration() {
    return new ServerOptions().port(0).drain(Duration.ZERO);
  }
}
