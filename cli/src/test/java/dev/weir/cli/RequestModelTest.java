package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.console.Terminal;
import dev.weir.http.ClientAddress;
import dev.weir.server.ServerOptions;
import dev.weir.server.WeirServer;
import dev.weir.testkit.RedisServers;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The service, a proxy's question, a replayed log, {@code check} and {@code explain} read one
 * request alike, however hostile its path, address and method are.
 */
final class RequestModelTest {
  private static final String TOKEN = "a-token-for-this-test";
  private static final String RULES =
      """
      rules:
        - name: login
          when: {path: /login, method: POST}
          limits:
            - {name: ip, key: ip, limit: 1 per day}
        - name: items
          when: {path: /api/items}
          limits:
            - {name: ip, key: ip, limit: 1 per day}
        - name: one-segment
          when: {path: /*}
          limits:
            - {name: path, key: path, limit: 1000 per day}
      """;

  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final AtomicInteger CASES = new AtomicInteger();

  @RegisterExtension static final RedisServers SERVERS = RedisServers.embedded();

  @TempDir private static Path folder;
  private static Path rules;
  private static WeirServer weir;

  @BeforeAll
  static void start() throws IOException {
    rules = Files.writeString(folder.resolve("weir.yaml"), RULES);
    weir = service(ClientAddress.behind(List.of("127.0.0.1")));
  }

  private static WeirServer service(ClientAddress addresses) {
    return WeirServer.start(
        new ServerOptions()
            .host("127.0.0.1")
            .port(0)
            .drain(Duration.ZERO)
            .adminToken(TOKEN)
            .clientAddress(addresses)
            .config(List.of(rules)));
  }

  @AfterAll
  static void stop() {
    weir.close();
  }

  /** One permit is used by the plain path; a spelling of it finds none left, or is refused. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/login     | /login               | 429",
        "/login     | /login?next=/        | 429",
        "/login     | /%6cogin             | 429",
        "/login     | //login              | 429",
        "/login     | /x/../login          | 429",
        "/login     | /x/%2e%2e/login      | 429",
        "/login     | /login;x=1           | 429",
        "/login     | /login%3Bx=1         | 429",
        "/login     | /login;x=/../y       | 200",
        "/login     | \\login              | 429",
        "/login     | /%5Clogin            | 429",
        "/login     | /%2Flogin            | 429",
        "/login     | http://host/login    | 429",
        "/login     | http://host\\login   | 429",
        "/login     | /other               | 200",
        "/login     | /Login               | 200",
        "/api/items | /api%2Fitems         | 429",
        "/api/items | /api%2fitems;v=1     | 429",
        "/api/items | /api\\items          | 429",
        "/api/items | /api;a/items;b       | 429",
        "/api/items | /api%3Bx/items       | 429",
        "/login     | /x/..;/login         | 400",
        "/login     | /x/..%2Flogin        | 400",
        "/login     | /x\\..\\login        | 400",
        "/login     | /%252Flogin          | 400",
        "/login     | /%256cogin           | 400",
        "/login     | /%25%36%63ogin       | 400",
        "/login     | /%c0%aflogin         | 400",
        "/login     | /%c0%ae%c0%ae/login  | 400",
        "/login     | /login%00            | 400",
        "/login     | /%zzlogin            | 400",
        "/login     | /login#x             | 400",
      })
  void aPathIsReadAlikeEverywhere(String plain, String spelled, int status) throws Exception {
    int number = CASES.incrementAndGet();
    String asked = "198.51.100." + number;
    assertThat(check(asked, plain, "POST")).isEqualTo(200);
    assertThat(check(asked, spelled, "POST")).isEqualTo(status);

    String forwarded = "203.0.113." + number;
    assertThat(authorize(forwarded, plain, "POST")).isEqualTo(200);
    assertThat(authorize(forwarded, spelled, "POST")).isEqualTo(status);

    assertThat(replay(accessLine(asked, plain, "POST"), accessLine(asked, spelled, "POST")))
        .isEqualTo(status);
    assertThat(replay(jsonLine(asked, plain, "POST"), jsonLine(asked, spelled, "POST")))
        .isEqualTo(status);

    assertThat(command(asked, plain, "POST")).isEqualTo(200);
    assertThat(command(asked, spelled, "POST")).isEqualTo(status);
    assertSameExplanation("192.0.2.9", spelled, "POST");
  }

  @ParameterizedTest
  @CsvSource({
    "192.0.2.101, 192.0.2.101:8080, 429",
    "192.0.2.102, ::ffff:192.0.2.102, 429",
    "192.0.2.103, [::FFFF:c000:267]:443, 429",
    "2001:db8:1:1::1, 2001:db8:1:1::2, 429",
    "2001:db8:1:2::1, 2001:DB8:1:2:ffff:ffff:ffff:ffff, 429",
    "2001:db8:1:3::1, [2001:db8:1:3::2]:443, 429",
    "fe80:1::1, fe80:1::1%eth0, 429",
    "2001:db8:1:4::1, 2001:db8:1:5::1, 200",
    "192.0.2.104, 192.0.2.105, 200",
  })
  void anAddressIsReadAlikeEverywhere(String first, String second, int status) throws Exception {
    assertThat(check(first, "/login", "POST")).isEqualTo(200);
    assertThat(check(second, "/login", "POST")).isEqualTo(status);

    assertThat(authorize(first, "/api/items", "GET")).isEqualTo(200);
    assertThat(authorize(second, "/api/items", "GET")).isEqualTo(status);

    assertThat(replay(accessLine(first, "/login", "POST"), accessLine(second, "/login", "POST")))
        .isEqualTo(status);
    assertThat(replay(jsonLine(first, "/login", "POST"), jsonLine(second, "/login", "POST")))
        .isEqualTo(status);

    assertThat(command(first, "/login", "POST")).isEqualTo(200);
    assertThat(command(second, "/login", "POST")).isEqualTo(status);
    assertSameExplanation(second, "/login", "POST");
  }

  @ParameterizedTest
  @CsvSource({
    "2001:db8:2:1::1, 2001:db8:2:2::1, 429",
    "2001:db8:3:1::1, [2001:DB8:3:ffff::9]:443, 429",
    "2001:db8:4::1, 2001:db8:5::1, 200",
    "192.0.2.110, 192.0.2.111, 200",
  })
  void anotherPrefixCountsEverywhere(String first, String second, int status) throws Exception {
    String[] prefix = {"--ipv6-prefix", "48"};
    try (WeirServer other =
        service(ClientAddress.behind(List.of("127.0.0.1")).withIpv6Prefix(48))) {
      assertThat(check(other, first, "/login", "POST")).isEqualTo(200);
      assertThat(check(other, second, "/login", "POST")).isEqualTo(status);

      assertThat(authorize(other, first, "/api/items", "GET")).isEqualTo(200);
      assertThat(authorize(other, second, "/api/items", "GET")).isEqualTo(status);

      assertSameExplanation(other, second, "/login", "POST", prefix);
    }
    String[] access = {accessLine(first, "/login", "POST"), accessLine(second, "/login", "POST")};
    assertThat(replay(access[0], access[1], prefix)).isEqualTo(status);
    String[] json = {jsonLine(first, "/login", "POST"), jsonLine(second, "/login", "POST")};
    assertThat(replay(json[0], json[1], prefix)).isEqualTo(status);

    assertThat(command(first, "/login", "POST", prefix)).isEqualTo(200);
    assertThat(command(second, "/login", "POST", prefix)).isEqualTo(status);
  }

  /** An attribute may be any text. What a proxy or an access log names must be an address. */
  @ParameterizedTest
  @CsvSource({
    "a-name, a-name, 429",
    "192.0.2.256, 192.0.2.256, 429",
    "192.0.2.300, 192.0.2.301, 200",
    "2001:db8::1::2, 2001:DB8::1::2, 200",
    "'1.2.3', '1.2.3 ', 200",
    "-, --, 200",
  })
  void textThatIsNoAddressStaysAsItIsEverywhere(String first, String second, int status)
      throws Exception {
    assertThat(check(first, "/login", "POST")).isEqualTo(200);
    assertThat(check(second, "/login", "POST")).isEqualTo(status);

    assertThat(replay(jsonLine(first, "/login", "POST"), jsonLine(second, "/login", "POST")))
        .isEqualTo(status);

    assertThat(command(first, "/login", "POST")).isEqualTo(200);
    assertThat(command(second, "/login", "POST")).isEqualTo(status);
    assertSameExplanation(second, "/login", "POST");
  }

  @ParameterizedTest
  @ValueSource(strings = {"post", "Post", "POST"})
  void aMethodIsReadAlikeEverywhere(String method) throws Exception {
    String asked = "198.51.100." + CASES.incrementAndGet();
    assertThat(check(asked, "/login", "POST")).isEqualTo(200);
    assertThat(check(asked, "/login", method)).isEqualTo(429);

    String forwarded = "203.0.113." + CASES.incrementAndGet();
    assertThat(authorize(forwarded, "/login", "POST")).isEqualTo(200);
    assertThat(authorize(forwarded, "/login", method)).isEqualTo(429);

    assertThat(replay(accessLine(asked, "/login", "POST"), accessLine(asked, "/login", method)))
        .isEqualTo(429);
    assertThat(replay(jsonLine(asked, "/login", "POST"), jsonLine(asked, "/login", method)))
        .isEqualTo(429);

    assertThat(command(asked, "/login", "POST")).isEqualTo(200);
    assertThat(command(asked, "/login", method)).isEqualTo(429);
    assertSameExplanation("192.0.2.9", "/login", method);
  }

  private static int check(String ip, String path, String method) throws Exception {
    return check(weir, ip, path, method);
  }

  private static int check(WeirServer service, String ip, String path, String method)
      throws Exception {
    return post(service, "/v1/check", body(ip, path, method)).statusCode();
  }

  private static HttpResponse<String> post(WeirServer service, String call, String body)
      throws Exception {
    return CLIENT.send(
        request(service, call)
            .header("Authorization", "Bearer " + TOKEN)
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build(),
        BodyHandlers.ofString());
  }

  private static int authorize(String ip, String path, String method) throws Exception {
    return authorize(weir, ip, path, method);
  }

  private static int authorize(WeirServer service, String ip, String path, String method)
      throws Exception {
    HttpRequest request =
        request(service, "/v1/authorize")
            .header("X-Forwarded-For", ip)
            .header("X-Forwarded-Method", method)
            .header("X-Forwarded-Uri", path)
            .build();
    return CLIENT.send(request, BodyHandlers.ofString()).statusCode();
  }

  private static HttpRequest.Builder request(WeirServer service, String call) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + service.port() + call));
  }

  /** What becomes of the second line: as a status. */
  private static int replay(String first, String second, String... options) throws IOException {
    Path log = Files.writeString(folder.resolve("log"), first + '\n' + second + '\n');
    CommandResult result = run("simulate", options, "--decisions", "-", log.toString());
    assertThat(result.exit).as(result.err).isZero();
    List<String> decisions = result.out.lines().toList();
    assertThat(decisions.get(0)).contains("\"allowed\":true");
    if (decisions.size() == 1) {
      assertThat(result.err).contains("line 2: the service answers 400: path must ");
      return 400;
    }
    return decisions.get(1).matches("\\{\"at\":[0-9.]+,\"allowed\":true.*") ? 200 : 429;
  }

  /** The command {@code check}, with its state in Redis: as a status. */
  private static int command(String ip, String path, String method, String... options) {
    String[] request = {
      "--json", "--store", SERVERS.redis().uri(), "ip=" + ip, "path=" + path, "method=" + method
    };
    CommandResult result = run("check", options, request);
    if (result.exit == 2) {
      assertThat(result.err).startsWith("path must ");
      return 400;
    }
    assertThat(result.exit).as(result.err).isZero();
    return result.out.startsWith("{\"allowed\":true") ? 200 : 429;
  }

  private static void assertSameExplanation(String ip, String path, String method)
      throws Exception {
    assertSameExplanation(weir, ip, path, method);
  }

  private static void assertSameExplanation(
      WeirServer service, String ip, String path, String method, String... options)
      throws Exception {
    String answer = post(service, "/v1/explain", body(ip, path, method)).body();
    CommandResult result =
        run("explain", options, "--json", "ip=" + ip, "path=" + path, "method=" + method);
    if (result.exit == 2) {
      assertThat(answer).contains("\"detail\":\"attributes.path must ");
      assertThat(result.err).startsWith("path must ");
    } else {
      assertThat(rulesOf(result.out)).isEqualTo(rulesOf(answer));
    }
  }

  private static String rulesOf(String json) {
    assertThat(json).contains("\"rules\":");
    return json.substring(json.indexOf("\"rules\":")).strip();
  }

  private record CommandResult(int exit, String out, String err) {}

  private static CommandResult run(String command, String[] options, String... more) {
    List<String> args = new ArrayList<>(List.of(command, "--config", rules.toString()));
    args.addAll(List.of(options));
    args.addAll(List.of(more));
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exit =
        Weir.run(
            Terminal.PLAIN,
            new PrintWriter(out, true),
            new PrintWriter(err, true),
            args.toArray(String[]::new));
    return new CommandResult(exit, out.toString(), err.toString());
  }

  private static String body(String ip, String path, String method) {
    return "{\"attributes\": " + attributes(ip, path, method) + "}";
  }

  private static String jsonLine(String ip, String path, String method) {
    return "{\"at\": 1, \"attributes\": " + attributes(ip, path, method) + "}";
  }

  private static String attributes(String ip, String path, String method) {
    return String.format(
        "{\"ip\": \"%s\", \"path\": \"%s\", \"method\": \"%s\"}",
        ip, path.replace("\\", "\\\\"), method);
  }

  /** As nginx writes it. */
  private static String accessLine(String ip, String path, String method) {
    return String.format(
        "%s - - [10/Oct/2026:13:55:36 +0000] \"%s %s HTTP/1.1\" 200 1",
        ip, method, path.replace("\\", "\\x5C"));
  }
}
