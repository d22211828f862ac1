package dev.weir.server.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.http.ClientAddress;
import dev.weir.server.RawHttp;
import dev.weir.server.ServerOptions;
import dev.weir.server.WeirServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What every configuration of docs/proxies.md promises, with the real proxy between the client and
 * the application. The rules are those of the document: two logins an hour, one request an hour for
 * an API key.
 */
@Tag("external")
abstract class ProxyContract {
  static final String ANNA = "127.0.0.2";
  private static final String BERT = "127.0.0.3";
  private static final String LOGIN = "/login";
  private static final String BODY = "name=anna";
  private static final int HALF_AN_HOUR = 1800;

  @TempDir Path folder;
  private Application application;
  WeirServer weir;
  private ProxyProcess proxy;

  /** The documented configuration, written for port 8080 of Weir and 3000 of the application. */
  abstract String site();

  abstract ProxyProcess start(String site, Path folder);

  /** What a client is answered while Weir takes no connections. */
  abstract int statusWhileAway();

  /** What a client is answered while Weir takes connections and says nothing. */
  abstract int statusWhileSilent();

  /** What a client is answered whose request Weir refuses to read. */
  abstract int statusIfTooLong();

  /** Whether clients hear of their limits before they are denied. */
  abstract boolean showsFieldsOfAllowed();

  @BeforeEach
  void startAll() throws IOException {
    Path rules = Files.writeString(folder.resolve("weir.yaml"), ProxyGuide.rules());
    application = new Application();
    weir =
        WeirServer.start(
            new ServerOptions()
                .host("127.0.0.1")
                .port(0)
                .drain(Duration.ZERO)
                .config(List.of(rules))
                .clientAddress(ClientAddress.behind(List.of("127.0.0.1"))));
    RawHttp.get(weir.port(), ANNA, "/v1/authorize"); // the first answer of a JVM takes its time
    proxy = start(site(), weir.port());
  }

  @AfterEach
  void stopAll() {
    if (proxy != null) {
      proxy.close();
    }
    weir.close();
    application.close();
  }

  /** Another proxy in the place of the one that runs. */
  void restart(String site, int weirPort) throws IOException {
    proxy.close();
    proxy = start(site, weirPort);
  }

  private ProxyProcess start(String site, int weirPort) throws IOException {
    String asking = ProxyProcess.replace(site, "127.0.0.1:8080", "127.0.0.1:" + weirPort);
    String whole =
        ProxyProcess.replace(asking, "127.0.0.1:3000", "127.0.0.1:" + application.port());
    return start(whole, Files.createTempDirectory(folder, "proxy"));
  }

  int port() {
    return proxy.port();
  }

  RawHttp.Answer login(String from, String... fields) {
    return RawHttp.post(port(), from, LOGIN, BODY, fields);
  }

  private void useUpLogins() {
    assertThat(login(ANNA).status()).isEqualTo(200);
    assertThat(login(ANNA).status()).isEqualTo(200);
    assertThat(login(ANNA).status()).isEqualTo(429);
    application.seen().clear();
  }

  @Test
  void whatFitsTheLimitReachesTheApplicationWithItsBodyAndWhatDoesNotDoesNot() {
    for (int i = 0; i < 2; i++) {
      RawHttp.Answer allowed = login(ANNA);
      assertThat(allowed.status()).isEqualTo(200);
      assertThat(allowed.body()).isEqualTo("application\n");
    }
    assertThat(login(ANNA).status()).isEqualTo(429);
    assertThat(application.seen()).containsExactly("POST /login " + BODY, "POST /login " + BODY);
  }

  @Test
  void aDeniedClientIsToldWhyAndWhenToComeBack() {
    useUpLogins();
    RawHttp.Answer denied = login(ANNA);
    assertThat(denied.status()).isEqualTo(429);
    int wait = Integer.parseInt(denied.fields().get("Retry-After"));
    assertThat(wait).isBetween(HALF_AN_HOUR - 60, HALF_AN_HOUR);
    assertThat(denied.fields())
        .containsEntry("RateLimit", "\"login-ip\";r=0;t=" + wait)
        .containsEntry("RateLimit-Policy", "\"login-ip\";q=2;w=3600")
        .containsEntry("Content-Type", "application/problem+json")
        .containsEntry("Cache-Control", "no-store");
    assertThat(denied.body())
        .contains("\"type\":\"https://iana.org/assignments/http-problem-types#quota-exceeded\"")
        .contains("\"status\":429");
  }

  @Test
  void anAllowedClientIsToldWhatRemainsIfTheConfigurationSaysSo() {
    RawHttp.Answer allowed = login(ANNA);
    Matcher state =
        Pattern.compile("\"login-ip\";r=1;t=\\d+")
            .matcher(allowed.fields().getOrDefault("RateLimit", ""));
    assertThat(state.matches()).isEqualTo(showsFieldsOfAllowed());
    assertThat("\"login-ip\";q=2;w=3600".equals(allowed.fields().get("RateLimit-Policy")))
        .isEqualTo(showsFieldsOfAllowed());
  }

  @Test
  void aRequestThatNoRuleIsForHasNoFields() {
    RawHttp.Answer answer = RawHttp.get(port(), ANNA, "/other");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo("application\n");
    assertThat(answer.fields()).doesNotContainKeys("RateLimit", "RateLimit-Policy", "Retry-After");
  }

  @Test
  void rulesAreForTheMethodAndPathThatTheClientSent() {
    useUpLogins();
    assertThat(RawHttp.get(port(), ANNA, LOGIN).status()).isEqualTo(200);
    assertThat(RawHttp.post(port(), ANNA, "/other", BODY).status()).isEqualTo(200);
    assertThat(application.seen()).containsExactly("GET /login ", "POST /other " + BODY);
  }

  @Test
  void theAddressThatCountsIsTheClients() {
    useUpLogins();
    assertThat(login(BERT).status()).isEqualTo(200);
    assertThat(login(BERT).status()).isEqualTo(200);
    assertThat(login(BERT).status()).isEqualTo(429);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "X-Forwarded-For: 192.0.2.%d",
        "Forwarded: for=192.0.2.%d",
        "X-Real-IP: 192.0.2.%d",
        "X-Forwarded-Uri: /other/%d",
        "X-Original-URI: /other/%d",
        "X-Forwarded-Method: GET",
        "X-Original-Method: GET",
        "X-Forwarded-Host: host%d.example",
        "X-Original-Host: host%d.example",
        "X-HTTP-Method-Override: GET",
      })
  void aForgedFieldChangesNothing(String field) {
    assertThat(login(ANNA, field.formatted(1)).status()).isEqualTo(200);
    assertThat(login(ANNA, field.formatted(2)).status()).isEqualTo(200);
    assertThat(login(ANNA, field.formatted(3)).status()).isEqualTo(429);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/%6cogin",
        "/%6Cogin",
        "//login",
        "/x/../login",
        "/./login",
        "/%2e/login",
        "/x/%2E%2e/login",
        "/login?next=/other",
        "/login?",
        "http://127.0.0.1/login",
      })
  void noSpellingOfThePathSlipsPast(String target) {
    useUpLogins();
    RawHttp.Answer answer = RawHttp.post(port(), ANNA, target, BODY);
    assertThat(answer.status()).isEqualTo(429);
    assertThat(application.seen()).isEmpty();
  }

  /** What applications read in several ways counts in each; a proxy may refuse it before. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "/login;x=1",
        "/login%3Bx=1",
        "/%3bx/login",
        "/;x/login",
        "/%2Flogin",
        "/%2flogin",
        "/%5Clogin",
        "/\\login",
        "\\login",
        "/login;x=%2F",
      })
  void noOtherReadingOfThePathSlipsPast(String target) {
    useUpLogins();
    RawHttp.Answer answer = RawHttp.post(port(), ANNA, target, BODY);
    assertThat(answer.status()).isIn(429, 400);
    assertThat(application.seen()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/x/..;/login",
        "/x/..%2Flogin",
        "/x/%2e%2e%5clogin",
        "/x/..\\login",
        "/%252Flogin",
        "/%256cogin",
        "/%c0%aflogin",
        "/login%00",
        "/%zzlogin",
      })
  void aPathThatCannotBeReadForSureIsABadRequest(String target) {
    RawHttp.Answer answer = RawHttp.post(port(), ANNA, target, BODY);
    assertThat(answer.status()).isEqualTo(400);
    assertThat(application.seen()).isEmpty();
  }

  @Test
  void anEscapedSlashCountsAsASlash() {
    assertThat(api("X-Api-Key: a").status()).isEqualTo(200);
    for (String target : List.of("/api%2Fthings", "/api;v=1/things", "/api%2fthings;x")) {
      assertThat(RawHttp.get(port(), ANNA, target, "X-Api-Key: a").status())
          .as(target)
          .isEqualTo(429);
    }
  }

  @Test
  void aFieldOfTheClientCanBeTheKey() {
    assertThat(api("X-Api-Key: a").status()).isEqualTo(200);
    assertThat(api("X-Api-Key: a").status()).isEqualTo(429);
    assertThat(api("X-Api-Key: b").status()).isEqualTo(200);
  }

  private RawHttp.Answer api(String field) {
    return RawHttp.get(port(), ANNA, "/api/things", field);
  }

  /** Weir reads 16 KiB of header fields; lines of almost 8 KiB are the longest that nginx takes. */
  @Test
  void aRequestTooLongForWeirIsNotLetThrough() {
    useUpLogins();
    String padding = "a".repeat(8_170);
    String target = LOGIN + "?" + "a".repeat(8_160);
    RawHttp.Answer answer = RawHttp.post(port(), ANNA, target, BODY, "X-Api-Key: " + padding);
    assertThat(answer.status()).isEqualTo(statusIfTooLong());
    assertThat(application.seen()).isEmpty();
  }

  @Test
  void largeCookiesAreNoHindrance() {
    String cookie = "Cookie: a=" + "a".repeat(7_900);
    assertThat(login(ANNA, cookie).status()).isEqualTo(200);
    assertThat(login(ANNA, cookie).status()).isEqualTo(200);
    assertThat(login(ANNA, cookie).status()).isEqualTo(429);
  }

  @ParameterizedTest
  @ValueSource(ints = {401, 403, 404, 429, 500, 502, 503})
  void whatTheApplicationAnswersIsNotTouched(int status) {
    RawHttp.Answer answer = login(ANNA, "Wanted-Status: " + status);
    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.body()).isEqualTo("application\n");
    assertThat(application.seen()).hasSize(1);
  }

  @Test
  void withoutWeirClientsAreAnsweredAsDocumented() {
    weir.close();
    assertThat(login(ANNA).status()).isEqualTo(statusWhileAway());
    assertThat(login(ANNA).status()).isEqualTo(statusWhileAway());
    assertSeen(2, statusWhileAway());
  }

  @Test
  void aWeirThatSaysNothingIsNotWaitedForLong() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      restart(site(), silent.getLocalPort());
      assertThat(login(ANNA).status()).isEqualTo(statusWhileSilent());
      assertSeen(1, statusWhileSilent());
    }
  }

  private void assertSeen(int requests, int status) {
    assertThat(application.seen())
        .hasSize(status == 200 ? requests : 0)
        .allMatch(("POST /login " + BODY)::equals);
  }
}
