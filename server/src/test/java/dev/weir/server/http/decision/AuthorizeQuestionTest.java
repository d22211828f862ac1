package dev.weir.server.http.decision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.RawHttp;
import dev.weir.server.ServerOptions;
import dev.weir.server.WeirServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How the question of a proxy is read when a client had a hand in it. */
final class AuthorizeQuestionTest {
  private static final String PROXY = "127.0.0.1";
  private static final String RULES =
      """
      rules:
        - name: login
          when: {path: /login}
          limits:
            - {name: login-user, key: user, limit: 1 per hour}
      """;

  private WeirServer weir;

  @BeforeEach
  void start(@TempDir Path folder) throws IOException {
    Path rules = Files.writeString(folder.resolve("weir.yaml"), RULES);
    weir =
        WeirServer.start(
            new ServerOptions().host(PROXY).port(0).drain(Duration.ZERO).config(List.of(rules)));
  }

  @AfterEach
  void stop() {
    weir.close();
  }

  private RawHttp.Answer ask(String query, String... fields) {
    return RawHttp.get(weir.port(), PROXY, "/v1/authorize" + query, fields);
  }

  @Test
  void aSemicolonInAValueStartsNoOtherAttribute() {
    String uri = "X-Forwarded-Uri: /login";
    assertThat(ask("?user=anna;path=/other", uri).status()).isEqualTo(200);
    assertThat(ask("?user=anna;path=/other", uri).status()).isEqualTo(429);
    assertThat(ask("?user=anna", uri).status()).isEqualTo(200);
  }

  @Test
  void aQueryWithABrokenEscapeIsRefused() {
    RawHttp.Answer answer = ask("?user=%zz");
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.body())
        .contains(
            "\"detail\":\"query must have two hex digits after each %, was \\\"user=%zz\\\"\"");
  }

  @Test
  void aFieldThatIsThereTwiceMustSayTheSame() {
    RawHttp.Answer answer = ask("", "X-Forwarded-Uri: /other", "X-Forwarded-Uri: /login");
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.body())
        .contains(
            "\"detail\":\"X-Forwarded-Uri and X-Original-URI must be the same wherever given, were"
                + " \\\"/other\\\" and \\\"/login\\\"\"");
    assertThat(ask("", "X-Original-URI: /login", "X-Original-URI: /login").status()).isEqualTo(200);
  }

  @Test
  void theTwoNamesOfAFieldMustSayTheSame() {
    assertThat(ask("", "X-Forwarded-Uri: /login", "X-Original-URI: /other").status())
        .isEqualTo(400);
    assertThat(ask("", "X-Forwarded-Method: POST", "X-Original-Method: GET").status())
        .isEqualTo(400);
    assertThat(ask("", "X-Forwarded-Uri: /login", "X-Original-URI: /login").status())
        .isEqualTo(200);
  }
}
