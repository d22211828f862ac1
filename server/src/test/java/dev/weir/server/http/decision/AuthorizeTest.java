package dev.weir.server.http.decision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.http.ClientAddress;
import dev.weir.server.Http.Answer;
import dev.weir.server.RunningService;
import dev.weir.server.ServerOptions;
import dev.weir.testkit.FaultReport;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What proxies that ask before they forward are told. */
final class AuthorizeTest {
  private static final String RULES =
      """
      rules:
        - name: login
          when: {path: /login, method: POST}
          limits:
            - {name: login-ip, key: ip, limit: 1 per hour, algorithm: fixed-window}
        - name: keyed
          when: {path: /keyed}
          limits:
            - {name: per-key, key: header.x-api-key, limit: 1 per hour, algorithm: fixed-window}
        - name: users
          when: {path: /users}
          limits:
            - {name: per-user, key: user, limit: 1 per hour, algorithm: fixed-window}
      """;
  private static final String[] LOGIN = {"X-Forwarded-Method", "POST", "X-Forwarded-Uri", "/login"};

  @TempDir Path directory;

  @Test
  void whatIsAllowedHasNoBodyAndWhatIsDeniedHasTheProblem() {
    try (RunningService service = start()) {
      Answer allowed = service.http.get("/v1/authorize", LOGIN);
      assertThat(allowed.status()).isEqualTo(200);
      assertThat(allowed.body()).isEmpty();
      assertThat(allowed.field("RateLimit")).startsWith("\"login-ip\";r=0;t=");

      Answer denied = service.http.get("/v1/authorize", LOGIN);
      assertThat(denied.status()).isEqualTo(429);
      assertThat(denied.field("Content-Type")).isEqualTo("application/problem+json");
      assertThat(denied.headers().firstValue("Retry-After")).isPresent();
    }
  }

  @Test
  void aProxyThatDoesNotUnderstand429MayNameAnotherStatus() {
    try (RunningService service = start()) {
      service.http.get("/v1/authorize?deny_status=403", LOGIN);
      Answer denied = service.http.get("/v1/authorize?deny_status=403", LOGIN);
      assertThat(denied.status()).isEqualTo(403);
      assertThat(denied.json().getInteger("status")).isEqualTo(403);

      Answer wrong = service.http.get("/v1/authorize?deny_status=200", LOGIN);
      assertThat(wrong.status()).isEqualTo(400);
      assertThat(wrong.detail()).isEqualTo("deny_status must be between 400 and 599, was \"200\"");
    }
  }

  @Test
  void theOriginalRequestOfNginxIsReadAsWell() {
    String[] original = {"X-Original-Method", "POST", "X-Original-URI", "/login?next=/"};
    try (RunningService service = start()) {
      assertThat(service.http.get("/v1/authorize", original).status()).isEqualTo(200);
      assertThat(service.http.get("/v1/authorize", original).status()).isEqualTo(429);
    }
  }

  @Test
  void twoStoriesAboutOneRequestAreRefused() {
    try (RunningService service = start()) {
      Answer answer =
          service.http.get(
              "/v1/authorize", "X-Forwarded-Uri", "/harmless", "X-Original-URI", "/login");
      assertThat(answer.status()).isEqualTo(400);
      assertThat(answer.detail())
          .isEqualTo(
              "X-Forwarded-Uri and X-Original-URI must be the same wherever given,"
                  + " were \"/harmless\" and \"/login\"");
    }
  }

  @Test
  void aPathInAnotherSpellingIsTheSamePath() {
    try (RunningService service = start()) {
      service.http.get("/v1/authorize", LOGIN);
      for (String spelled : List.of("/%6cogin", "//login", "/x/../login", "/login?a=b")) {
        Answer answer =
            service.http.get(
                "/v1/authorize", "X-Forwarded-Method", "POST", "X-Forwarded-Uri", spelled);
        assertThat(answer.status()).as(spelled).isEqualTo(429);
      }
    }
  }

  @Test
  void aPathThatApplicationsReadDifferentlyIsLimitedInEveryReadingOrRefused() {
    List<String> limited =
        List.of("/%2Flogin", "\\login", "/%5Clogin", "/login;x=1", "/login;x=%2F");
    List<String> bad =
        List.of(
            "/x/..;/login",
            "/x/..%2Flogin",
            "/a%2F../login",
            "/x\\..\\login",
            "/%252Flogin",
            "/%c0%aflogin");
    try (RunningService service = start()) {
      service.http.get("/v1/authorize", LOGIN);
      limited.forEach(path -> assertThat(loginAt(service, path)).as(path).isEqualTo(429));
      bad.forEach(path -> assertThat(loginAt(service, path)).as(path).isEqualTo(400));
    }
    FaultReport.row(
        "70 escaped slashes, backslashes, parameters, double and overlong escapes in a path",
        limited.size() + bad.size(),
        "none allowed: 429 in every reading, or 400");
  }

  private static int loginAt(RunningService service, String path) {
    return service
        .http
        .get("/v1/authorize", "X-Forwarded-Method", "POST", "X-Forwarded-Uri", path)
        .status();
  }

  @Test
  void aForgedAddressIsIgnoredUnlessTheProxyIsTrusted() {
    try (RunningService service = start()) {
      service.http.get("/v1/authorize", with(LOGIN, "X-Forwarded-For", "192.0.2.1"));
      assertThat(
              service
                  .http
                  .get("/v1/authorize", with(LOGIN, "X-Forwarded-For", "192.0.2.2"))
                  .status())
          .isEqualTo(429);
    }
  }

  @Test
  void theClientOfATrustedProxyIsCountedByItsOwnAddress() {
    ServerOptions trusting = options().clientAddress(ClientAddress.behind(List.of("127.0.0.0/8")));
    try (RunningService service = RunningService.start(trusting)) {
      for (String client : List.of("192.0.2.1", "192.0.2.2")) {
        String[] request = with(LOGIN, "X-Forwarded-For", "198.51.100.9, " + client);
        assertThat(service.http.get("/v1/authorize", request).status()).isEqualTo(200);
        assertThat(service.http.get("/v1/authorize", request).status()).isEqualTo(429);
      }
    }
  }

  @Test
  void headerFieldsAreAttributes() {
    String[] first = {"X-Forwarded-Uri", "/keyed", "X-Api-Key", "one"};
    String[] second = {"X-Forwarded-Uri", "/keyed", "X-Api-Key", "two"};
    try (RunningService service = start()) {
      assertThat(service.http.get("/v1/authorize", first).status()).isEqualTo(200);
      assertThat(service.http.get("/v1/authorize", first).status()).isEqualTo(429);
      assertThat(service.http.get("/v1/authorize", second).status()).isEqualTo(200);
    }
  }

  @Test
  void theProxyMayAddAttributesInTheQueryOfItsQuestion() {
    String[] request = {"X-Forwarded-Uri", "/users?user=forged"};
    try (RunningService service = start()) {
      assertThat(service.http.get("/v1/authorize?user=ann", request).status()).isEqualTo(200);
      assertThat(service.http.get("/v1/authorize?user=ann", request).status()).isEqualTo(429);
      assertThat(service.http.get("/v1/authorize?user=bob", request).status()).isEqualTo(200);
    }
  }

  private RunningService start() {
    return RunningService.start(options());
  }

  private ServerOptions options() {
    return RunningService.options(directory)
        .config(List.of(RunningService.rules(directory, RULES)));
  }

  private static String[] with(String[] headers, String name, String value) {
    String[] more = java.util.Arrays.copyOf(headers, headers.length + 2);
    more[headers.length] = name;
    more[headers.length + 1] = value;
    return more;
  }
}
