package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.console.Terminal;
import dev.weir.testkit.RedisProcess;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;

/** The command test, as a user calls it. */
final class TestCommandTest {
  private static final String RULES =
      """
      rules:
        - name: login
          when: {path: /login, method: POST}
          limits:
            - {name: login-ip-minute, key: ip, limit: 5 per minute, algorithm: fixed-window}
            - {name: login-email, key: email, limit: 3 per minute}
        - name: api
          when: {path: /api/**}
          limits:
            - {name: month, key: user, limit: 2 per month, algorithm: fixed-window}
      """;
  private static final String LOGIN = "attributes: {path: /login, method: POST, ip: 192.0.2.1}";
  private static final String PASSING =
      """
      tests:
        - name: the sixth login within a minute is denied
          requests:
            - {at: 0s, LOGIN, times: 5, expect: allowed, remaining: 0}
            - {at: 1s, LOGIN, expect: denied, by: login-ip-minute, retry-after: 59}
            - {at: 1m, LOGIN, expect: allowed, remaining: {login/login-ip-minute: 4}}
        - name: a month begins anew
          start: 2026-01-31T23:59:58Z
          requests:
            - {attributes: {path: /api/x, user: ann}, times: 3, every: 1s, expect: allowed}
            - {attributes: {path: /api/x, user: ann}, expect: allowed, remaining: 0}
            - {attributes: {path: /api/x, user: ann}, by: [month], retry-after: 28d}
      """
          .replace("LOGIN", LOGIN);

  @TempDir private Path folder;
  private Path config;
  private Path tests;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void writeRules() throws IOException {
    config = Files.writeString(folder.resolve("weir.yaml"), RULES);
    tests = folder.resolve("tests.yaml");
  }

  @Test
  void testsThatHoldPassAndTheExitStatusIsZero() throws IOException {
    assertThat(test(PASSING)).as(out + "" + err).isZero();
    assertThat(out.toString())
        .isEqualTo(
            """
            pass  the sixth login within a minute is denied
            pass  a month begins anew

            2 tests, 12 requests: all passed
            """);
  }

  @Test
  void overRedisTheSameTestsPass() throws IOException {
    try (RedisProcess redis = RedisProcess.start()) {
      assertThat(test(PASSING, "--store", redis.uri())).as(out + "" + err).isZero();
    }
    assertThat(out.toString()).endsWith("2 tests, 12 requests: all passed\n");
  }

  @Test
  void aFailureShowsExpectedAndGotSideBySideAndWhy() throws IOException {
    String wrong =
        """
        tests:
          - name: seven logins pass
            requests:
              - {at: 0s, LOGIN, times: 7, expect: allowed}
              - {at: 1s, LOGIN, expect: denied, by: login-email, retry-after: 5s}
        """
            .replace("LOGIN", LOGIN);
    assertThat(test(wrong)).isEqualTo(1);
    assertThat(out.toString())
        .startsWith(
            """
            FAIL  seven logins pass
                  TESTS:4:9: request 6 of 7 at 0s  ip=192.0.2.1 method=POST path=/login
                            expected  got
                    answer  allowed   denied
                    because
                      rule login matches: path /login, method POST
                        limit login-ip-minute: 5 per minute
                          key    192.0.2.1
                          state  0 of 5 left, all of them in 1 min; passes in 1 min
                        limit login-email: the request has no email
                      rule api does not match: path must be /api/**, was /login
                      denied by login/login-ip-minute: passes in 1 min
                  TESTS:5:9: at 1s  ip=192.0.2.1 method=POST path=/login
                                 expected     got
                    by           login-email  login/login-ip-minute
                    retry-after  5 s          59 s
            """
                .replace("TESTS", tests.toString()))
        .endsWith("1 test, 8 requests: 1 failed\n");
  }

  @Test
  void aTestSaysHowTheApplicationRespondsWhereALimitCountsThat() throws IOException {
    Files.writeString(
        config, RULES.replace("limit: 5 per minute", "limit: 2 per minute, count: {status: 401}"));
    String failedLogins =
        """
        tests:
          - name: only failed logins count
            requests:
              - {LOGIN, status: 200, times: 9, expect: allowed}
              - {LOGIN, status: 401, times: 2, expect: allowed}
              - {LOGIN, status: 200, expect: denied, by: login-ip-minute}
        """
            .replace("LOGIN", LOGIN);
    assertThat(test(failedLogins)).as(out + "" + err).isZero();
    try (RedisProcess redis = RedisProcess.start()) {
      assertThat(test(failedLogins, "--store", redis.uri())).as(out + "" + err).isZero();
    }
  }

  @Test
  void aBuildServerGetsTheResultsAsXml() throws Exception {
    Path junit = folder.resolve("out.xml");
    String failing = PASSING.replace("remaining: 0}", "remaining: 7}");
    assertThat(test(failing, "--junit", junit.toString())).isEqualTo(1);
    Document xml = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(junit.toFile());
    assertThat(xml.getDocumentElement().getAttribute("tests")).isEqualTo("2");
    assertThat(xml.getDocumentElement().getAttribute("failures")).isEqualTo("2");
    assertThat(xml.getElementsByTagName("testcase").getLength()).isEqualTo(2);
    assertThat(xml.getElementsByTagName("failure").item(0).getAttributes())
        .satisfies(
            attributes ->
                assertThat(attributes.getNamedItem("message").getNodeValue())
                    .isEqualTo(tests + ":4:9: remaining: expected 7, got 0"));
  }

  @Test
  void everyFaultOfTheTestsIsNamedWithItsPlace() throws IOException {
    String faulty =
        """
        tests:
          - name: x
            requests:
              - {at: 0z, attributes: {path: /login}, time: 5, expect: alowed}
              - {at: 10s, attributes: [], by: login-ip-minut}
              - {at: 5s, attributes: {path: "/x/..;/login"}, expect: allowed, by: login-email}
          - {requests: [], start: today}
        """;
    assertThat(test(faulty)).isEqualTo(1);
    assertThat(out.toString()).isEmpty();
    assertThat(err.toString().lines().map(line -> line.replace(tests + ":", "")))
        .containsExactly(
            "4:14: at must be a duration such as 0s, 250ms, 5m or 1h30m, was \"0z\"",
            "4:46: key \"time\" is unknown in a request, expected one of at, attributes, permits,"
                + " times, every, expect, by, remaining, retry-after, status; did you mean \"times\"?",
            "4:63: expect must be one of allowed, denied, was \"alowed\"; did you mean"
                + " \"allowed\"?",
            "5:31: attributes must be a mapping from names to values, was a list",
            "5:39: by must name a limit of the rules, was \"login-ip-minut\"; did you mean"
                + " \"login-ip-minute\"?",
            "6:14: at must not be before the request above it, which comes at 10s, was \"5s\"",
            "6:30: the service answers 400 to this request: path must not have . or .. beside an"
                + " escaped slash, a backslash or a semicolon, was \"/x/..;/login\"",
            "6:75: by is for requests that must be denied, was \"login-email\"",
            "7:5: a test must have name: what must hold",
            "7:16: requests must be a list of at least one, was an empty one",
            "7:27: start must be an instant between 1970 and 2149 such as 2026-03-01T08:00:00Z,"
                + " was \"today\"",
            "11 faults");
  }

  @Test
  void theExampleOfTheDocumentPasses() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "testing-rules.md"));
    List<String> blocks =
        Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL)
            .matcher(page)
            .results()
            .map(block -> block.group(1))
            .toList();
    assertThat(blocks).hasSize(2);
    Files.writeString(config, blocks.get(0));
    assertThat(test(blocks.get(1))).as(out + "" + err).isZero();
    assertThat(page).contains(out.toString());
    Files.writeString(config, blocks.get(0).replace("5 per minute", "6 per minute"));
    out.getBuffer().setLength(0);
    assertThat(test(blocks.get(1))).isEqualTo(1);
    String failure = out.toString().replace(folder + "/", "");
    assertThat(page).contains(failure.substring(0, failure.indexOf("\npass ") + 1));
  }

  @Test
  void theStarterFileCoversEveryLimitAndPasses() {
    assertThat(run("test", "--init", "--config", config.toString(), tests.toString())).isZero();
    assertThat(tests)
        .content()
        .contains(
            "name: login/login-ip-minute denies after 5",
            "name: login/login-email denies after 3",
            "name: api/month denies after 2");
    assertThat(run("test", "--config", config.toString(), tests.toString())).isZero();
    assertThat(run("test", "--init", "--config", config.toString(), tests.toString()))
        .isEqualTo(1); // it is there already
  }

  @Test
  void usageErrorsExitWithTwo() throws IOException {
    assertThat(run("test", "--config", config.toString())).isEqualTo(2);
    assertThat(test(PASSING, "--junit", tests.toString())).isEqualTo(2);
    assertThat(err.toString())
        .contains(
            "a file with tests is needed; --init writes one to start from\n",
            "--junit must be another file than ");
  }

  private int test(String text, String... options) throws IOException {
    Files.writeString(tests, text);
    List<String> all = new ArrayList<>(List.of("test", "--config", config.toString()));
    all.addAll(List.of(options));
    all.add(tests.toString());
    return run(all.toArray(String[]::new));
  }

  private int run(String... args) {
    return Weir.run(Terminal.PLAIN, new PrintWriter(out), new PrintWriter(err), args);
  }
}
