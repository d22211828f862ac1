package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.console.Terminal;
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

/** The command diff, as a user calls it. */
final class DiffCommandTest {
  private static final String OLD =
      """
      rules:
        - name: login
          when: {path: /login, method: POST}
          limits:
            - {name: address, key: ip, limit: 5 per minute, algorithm: sliding-window}
            - {name: old, key: ip, limit: 5 per day}
        - name: api
          limits: [{name: customer, key: ip, limit: 2 per hour}]
        - name: gone
          limits: [{name: g, key: user, limit: 1 per hour}]
      """;

  @TempDir private Path folder;
  private Path before;
  private Path after;
  private Path log;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void writeRules() throws IOException {
    before = Files.writeString(folder.resolve("old.yaml"), OLD);
    after = Files.writeString(folder.resolve("new.yaml"), OLD);
    log = folder.resolve("access.log");
  }

  @Test
  void rulesThatMeanTheSameHaveNoChanges() throws IOException {
    Files.writeString(after, OLD.replace("method: POST", "method: [POST]"));
    assertThat(diff()).isZero();
    assertThat(out.toString()).isEqualTo("The rules mean the same.\n");
    assertThat(diff("--fail-if", "changes > 0")).isZero();
  }

  @Test
  void everyChangeIsToldLimitByLimit() throws IOException {
    Files.writeString(
        after,
        """
        rules:
          - name: login
            when: {path: [/login, /signin]}
            limits:
              - {name: address, key: ip, limit: 10 per minute, overrides: {192.0.2.7: blocked}}
              - {name: mail, key: email, limit: 5 per hour, burst: 3}
            mode: shadow
          - name: api
            limits: [{name: customer, key: [ip, user], limit: 1 per hour}]
          - name: fresh
            limits: [{name: f, key: [], limit: 9 per second}]
        """);
    assertThat(diff("--fail-if", "changes > 0")).isEqualTo(1);
    assertThat(out.toString())
        .isEqualTo(
            """
            rule login
              when path was /login, is /login or /signin
              when method was POST, is anything
              mode was enforce, is shadow
            login/address
              limit was 5 per minute, is 10 per minute (2 times as much)
              algorithm was sliding-window, is token-bucket
              overrides.192.0.2.7 was none, is blocked
            login/old
              is removed; it was 5 per day, by ip
            login/mail
              is new: 5 per hour, burst 3, by email
            api/customer
              counts by ip and user instead of ip, from zero
              limit was 2 per hour, is 1 per hour (0.5 times as much)
            rule gone
              is removed, with its limit g
            rule fresh
              is new, for every request
            fresh/f
              is new: 9 per second, by one counter for all

            Fail if changes > 0: yes, so this fails
            """);
  }

  @Test
  void aLogShowsWhoWouldBeNewlyDeniedAndNewlyAllowed() throws IOException {
    writeLog();
    Files.writeString(after, OLD.replace("2 per hour", "1 per hour"));
    assertThat(diff("--log", log.toString())).as(err.toString()).isZero();
    assertThat(out.toString())
        .isEqualTo(
            """
            api/customer
              limit was 2 per hour, is 1 per hour (0.5 times as much)

            With 5 requests of the log
              denied before             1  20.00 %
              denied after              3  60.00 %
              newly denied              2  40.00 %
              newly allowed             0  0.00 %

            Newly denied most
                         1  api/customer  192.0.2.1
                         1  api/customer  192.0.2.2
            """);
  }

  @Test
  void theConditionDecidesTheExitStatusExactly() throws IOException {
    writeLog();
    Files.writeString(after, OLD.replace("2 per hour", "1 per hour"));
    assertThat(failIf("newly-denied > 40 %")).isZero();
    assertThat(failIf("newly-denied >= 40 %")).isEqualTo(1);
    assertThat(failIf("newly-denied>39.99%")).isEqualTo(1);
    assertThat(failIf("newly-denied > 1")).isEqualTo(1);
    assertThat(failIf("newly-allowed < 1")).isEqualTo(1);
    assertThat(failIf("denied > 3")).isZero();
    assertThat(diff("--fail-if", "newly-denied > 0")).isEqualTo(2);
    assertThat(failIf("newly-deny > 0")).isEqualTo(2);
    assertThat(failIf("newly-denied")).isEqualTo(2);
    assertThat(err.toString())
        .contains(
            "--fail-if needs --log, unless it counts changes\n",
            "was newly-deny; did you mean \"newly-denied\"?\n",
            "--fail-if must be such as 'newly-denied > 0.1 %' or 'newly-denied > 10', was"
                + " newly-denied\n");
  }

  @Test
  void markdownIsSafeForAReviewComment() throws IOException {
    Files.writeString(log, "{\"at\": 1, \"attributes\": {\"ip\": \"@all|<b>\"}}\n".repeat(2));
    Files.writeString(after, OLD.replace("2 per hour", "1 per hour"));
    assertThat(diff("--markdown", "--log", log.toString())).isZero();
    assertThat(out.toString())
        .startsWith(
            """
            ### Rules

            - **api/customer** limit was 2 per hour, is 1 per hour (0.5 times as much)

            ### With 2 requests of the log

            | | requests | of all |
            |---|---:|---:|
            | denied before | 0 | 0.00 % |
            """)
        .endsWith("| 1 | api/customer | @\u200ball\\|\\<b\\> |\n");
  }

  private void writeLog() throws IOException {
    StringBuilder lines = new StringBuilder();
    for (int i : new int[] {1, 1, 2, 2, 1}) {
      lines.append("{\"at\": 1, \"attributes\": {\"ip\": \"192.0.2." + i + "\"}}\n");
    }
    Files.writeString(log, lines);
  }

  private int failIf(String condition) {
    return diff("--log", log.toString(), "--fail-if", condition);
  }

  private int diff(String... options) {
    List<String> all = new ArrayList<>(List.of("diff", before.toString(), after.toString()));
    all.addAll(List.of(options));
    return Weir.run(
        Terminal.PLAIN, new PrintWriter(out), new PrintWriter(err), all.toArray(String[]::new));
  }
}
