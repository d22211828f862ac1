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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands validate, check and explain, as a user calls them. */
final class RuleCommandsTest {
  private static final String RULES =
      """
      rules:
        - name: login
          when: {path: /login, method: POST}
          limits:
            - {name: address, key: ip, limit: 10 per minute, overrides: {evil: blocked}}
            - {name: account, key: email, limit: 5 per minute}
        - name: api
          when: {path: /api/**}
          limits:
            - {name: plan, key: [tenant, user], by: plan, limit: {free: 3 per 1s}, cost: tokens}
          mode: shadow
      """;

  @TempDir private Path folder;
  private Path config;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void writeRules() throws IOException {
    config = Files.writeString(folder.resolve("weir.yaml"), RULES);
  }

  @Test
  void validRulesAreCounted() {
    assertThat(run("validate", config.toString())).isZero();
    assertThat(out.toString())
        .isEqualTo(
            config
                + ": no faults, 2 rules over email, ip, method, path, plan, tenant, tokens, user\n");
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void attributesThatAreNearlyKnownOnesGetAHintAndStayValid() throws IOException {
    Files.writeString(
        config,
        """
        rules:
          - name: a
            when: {Path: /x, methd: GET, plan: free}
            limits:
              - {name: b, key: [IP, id], limit: 1 per day, cost: usr}
        """);
    assertThat(run("validate", config.toString())).isZero();
    assertThat(err.toString().replace(config + ":", ""))
        .isEqualTo(
            """
            3:12: hint: attribute "Path" is another than "path"; did you mean "path"?
            3:22: hint: attribute "methd" is another than "method"; did you mean "method"?
            5:25: hint: attribute "IP" is another than "ip"; did you mean "ip"?
            5:58: hint: attribute "usr" is another than "user"; did you mean "user"?
            """);
  }

  @Test
  void filesOfEnvoysFormatAreValidatedCheckedAndExplained() throws IOException {
    Files.writeString(
        config,
        """
        domain: shop
        descriptors:
          - key: user
            rate_limit: {requests_per_unit: 2, unit: minute}
            descriptors: [{key: path, value: /x*, rate_limit: {requests_per_unit: 1, unit: day}}]
        """);
    assertThat(run("validate", config.toString())).isZero();
    assertThat(out.toString()).isEqualTo(config + ": no faults, 1 rule over domain, path, user\n");
    assertThat(run("check", "--config", config.toString(), "domain=shop", "user=ann")).isZero();
    assertThat(out.toString()).contains("allowed\n  shop/user  1 of 2 left");
    String[] explain = {
      "explain", "--config", config.toString(), "domain=shop", "user=ann", "path=/x/y"
    };
    assertThat(run(explain)).isZero();
    assertThat(out.toString())
        .contains("rule shop matches: domain shop\n  limit user: 2 per minute\n")
        .contains("limit user.path_/x*: 1 per day\n    key    user=ann,path=/x/y\n");
  }

  @Test
  void everyFaultIsNamedAndTheExitStatusIsOne() throws IOException {
    Files.writeString(config, RULES.replace("mode: shadow", "mood: shadow").replace("1s", "1x"));
    assertThat(run("validate", config.toString())).isEqualTo(1);
    assertThat(out.toString()).isEmpty();
    assertThat(err.toString())
        .isEqualTo(
            config
                + ":10:67: limit must be per second, minute, hour, day, week, month, or per a"
                + " duration such as 250ms, 30s, 5m or 1h30m, was \"1x\"\n"
                + config
                + ":11:5: key \"mood\" is unknown in rule \"api\", expected one of name, when,"
                + " limits, on-store-failure, mode; did you mean \"mode\"?\n"
                + "2 faults\n");
  }

  @Test
  void anAddressOfAStoreThatCannotBeReadIsAFaultAndIsNotRepeated() throws IOException {
    Files.writeString(config, "store: 'redis://:hunter2@localhost:port'\n" + RULES);
    assertThat(run("validate", config.toString())).isEqualTo(1);
    assertThat(err.toString()).startsWith("store ").doesNotContain("hunter2");
  }

  @Test
  void ofManyFaultsTheFirstTwentyAreNamedUnlessAllAreAskedFor() throws IOException {
    Files.writeString(config, "rules:\n" + "  - 7\n".repeat(50));
    assertThat(run("validate", config.toString())).isEqualTo(1);
    assertThat(err.toString()).endsWith("\nand 30 more\n50 faults\n");
    assertThat(err.toString().lines()).hasSize(22);

    err.getBuffer().setLength(0);
    assertThat(run("validate", "--all", config.toString())).isEqualTo(1);
    assertThat(err.toString().lines()).hasSize(51);
  }

  @Test
  void checkAndExplainRefuseFaultyRulesToo() throws IOException {
    Files.writeString(config, "");
    for (String command : List.of("check", "explain")) {
      assertThat(ask(command, "ip=a")).isEqualTo(1);
    }
    String fault = config + ":1:1: a file must not be empty\n1 fault\n";
    assertThat(err.toString()).isEqualTo(fault + fault);
  }

  @Test
  void checkAnswersInWords() {
    assertThat(ask("check", "path=/login", "method=POST", "ip=a", "email=e")).isZero();
    assertThat(out.toString())
        .isEqualTo(
            "allowed\n"
                + "  login/address  9 of 10 left, all of them in 6 s\n"
                + "  login/account  4 of 5 left, all of them in 12 s\n");
  }

  @Test
  void checkAnswersInJson() {
    assertThat(ask("check", "--json", "--permits", "2", "path=/login", "method=POST", "ip=a"))
        .isZero();
    assertThat(out.toString())
        .isEqualTo(
            "{\"allowed\":true,\"source\":\"store\",\"retryAfterMillis\":0,\"limits\":["
                + "{\"rule\":\"login\",\"name\":\"address\",\"mode\":\"enforce\","
                + "\"allowed\":true,\"limit\":10,\"capacity\":10,\"remaining\":8,"
                + "\"retryAfterMillis\":0,\"resetAfterMillis\":12000}]}\n");
  }

  @Test
  void aDenialIsAnAnswerAndNotAFailure() {
    assertThat(ask("check", "path=/login", "method=POST", "ip=evil", "email=e")).isZero();
    assertThat(out.toString())
        .isEqualTo(
            "denied by login/address: never passes\n"
                + "  login/address  blocked, never passes\n"
                + "  login/account  5 of 5 left\n");
  }

  @Test
  void aBlockedKeyHasNothingAndNeverPasses() {
    assertThat(ask("check", "--json", "path=/login", "method=POST", "ip=evil")).isZero();
    assertThat(out.toString())
        .isEqualTo(
            "{\"allowed\":false,\"source\":\"store\",\"retryAfterMillis\":null,\"limits\":["
                + "{\"rule\":\"login\",\"name\":\"address\",\"mode\":\"enforce\","
                + "\"allowed\":false,\"limit\":0,\"capacity\":0,\"remaining\":0,"
                + "\"retryAfterMillis\":null,\"resetAfterMillis\":0}]}\n");
  }

  @Test
  void explainSaysWhyForEveryRule() {
    assertThat(ask("explain", "path=/api/x", "tenant=t", "user=a,b", "plan=free")).isZero();
    assertThat(out.toString())
        .isEqualTo(
            "rule login does not match: path must be /login, was /api/x\n"
                + "rule api matches: path /api/x fits /api/**\n"
                + "  limit plan: 3 per 1s, for plan free\n"
                + "    key    t,a~,b\n"
                + "    state  shadow: 3 of 3 left\n"
                + "allowed\n");
  }

  @Test
  void explainSaysWhyALimitDoesNotApply() {
    ask("explain", "path=/api/x", "tenant=t", "user=u", "plan=gold");
    ask("explain", "path=/api/x", "tenant=t");
    ask("explain", "path=/login", "method=GET");
    assertThat(out.toString())
        .contains(
            "  limit plan: no limit for plan and no default, was gold\n    key    t,u\n",
            "  limit plan: the request has no user\n",
            "rule login does not match: method must be POST, was GET\n",
            "rule api does not match: path must be /api/**, was /login\n",
            "allowed: no limit applies\n");
  }

  @Test
  void explainInJsonIsTheDecisionAndTheRules() {
    assertThat(ask("explain", "--json", "path=/api/x", "tenant=t")).isZero();
    assertThat(out.toString())
        .isEqualTo(
            "{\"allowed\":true,\"source\":\"store\",\"retryAfterMillis\":0,\"limits\":[],"
                + "\"rules\":[{\"rule\":\"login\",\"matched\":false,"
                + "\"reason\":\"path must be /login, was /api/x\",\"limits\":[]},"
                + "{\"rule\":\"api\",\"matched\":true,\"reason\":\"path /api/x fits /api/**\","
                + "\"limits\":[{\"name\":\"plan\",\"applies\":false,"
                + "\"reason\":\"the request has no user\",\"key\":null}]}]}\n");
  }

  @Test
  void anAttributeThatNoRuleLooksAtIsMentioned() {
    assertThat(ask("check", "usr=a")).isZero();
    assertThat(err.toString())
        .isEqualTo(
            "Note: no rule looks at usr; they look at email, ip, method, path, plan, tenant,"
                + " tokens, user.\n");
  }

  @Test
  void wrongQuestionsExitWithTwo() {
    assertThat(ask("check", "user")).isEqualTo(2);
    assertThat(ask("check", "--permits", "-1", "user=a")).isEqualTo(2);
    assertThat(ask("check", "--store", "file:x", "user=a")).isEqualTo(2);
    assertThat(ask("check", "user=a", "user=b")).isEqualTo(2);
    assertThat(ask("check", "path=/api/x", "tenant=t", "user=u", "plan=free", "tokens=x"))
        .isEqualTo(2);
    assertThat(run("validate")).isEqualTo(2);
    assertThat(err.toString())
        .contains(
            "an attribute must be <name>=<value>, was user\n",
            "--permits must be 0 or more, was -1\n",
            "--store must be memory, redis://, rediss://, redis-sentinel://, rediss-sentinel://,"
                + " redis-cluster:// or rediss-cluster://\n",
            "attribute user must be given once\n",
            "attribute tokens must be a whole number, 0 or more, was \"x\"\n",
            "Missing required parameter: '<file>'\n");
  }

  @Test
  void withRedisTheStateIsShared() throws IOException {
    Files.writeString(config, RULES.replace("5 per minute", "5 per day")); // real time passes here
    try (RedisProcess redis = RedisProcess.start()) {
      String[] request = {"check", "--store", redis.uri(), "path=/login", "method=POST", "email=e"};
      for (int i = 0; i < 6; i++) {
        assertThat(ask(request)).as(err.toString()).isZero();
      }
    }
    assertThat(out.toString().lines().filter(line -> line.startsWith("allowed"))).hasSize(5);
    assertThat(out.toString()).contains("denied by login/account: passes in ");
  }

  @Test
  void aStoreThatDoesNotAnswerIsNamedAndExitsWithOne() {
    assertThat(ask("check", "--store", "redis://localhost:1", "ip=a")).isEqualTo(1);
    assertThat(err.toString()).startsWith("Redis at localhost:1: ").hasLineCount(1);
  }

  private int ask(String command, String... arguments) {
    List<String> all = new ArrayList<>(List.of(command, "--config", config.toString()));
    all.addAll(List.of(arguments));
    return run(all.toArray(String[]::new));
  }

  private int ask(String[] commandAndArguments) {
    List<String> arguments = List.of(commandAndArguments);
    return ask(arguments.get(0), arguments.subList(1, arguments.size()).toArray(String[]::new));
  }

  private int run(String... args) {
    return Weir.run(Terminal.PLAIN, new PrintWriter(out, true), new PrintWriter(err, true), args);
  }
}
