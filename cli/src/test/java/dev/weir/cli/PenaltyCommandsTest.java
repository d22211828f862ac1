package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.console.Terminal;
import dev.weir.testkit.RedisProcess;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Penalties as the commands know them: test, simulate, diff, explain. */
@Tag("slow")
final class PenaltyCommandsTest {
  private static final String RULES =
      """
      rules:
        - name: login
          limits:
            - name: tries
              key: ip
              limit: 2 per minute
              penalty: {after: 3 denials per 10m, block: 15m}
      """;
  private static final String TESTS =
      """
      tests:
        - name: who keeps knocking is blocked for longer each time
          requests:
            - {at: 0s, attributes: {ip: a}, times: 2, expect: allowed}
            - {at: 1s, attributes: {ip: a}, times: 2, expect: denied, by: tries, retry-after: 29}
            - {at: 1s, attributes: {ip: a}, expect: denied, by: tries, retry-after: 15m}
            - {at: 1s, attributes: {ip: b}, expect: allowed}
            - {at: 15m1s, attributes: {ip: a}, times: 2, expect: allowed}
            - {at: 15m1s, attributes: {ip: a}, times: 2, expect: denied}
            - {at: 15m1s, attributes: {ip: a}, expect: denied, retry-after: 30m}
      """;

  @TempDir private Path folder;
  private String config;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void writeRules() throws IOException {
    config = write("weir.yaml", RULES);
  }

  @Test
  void testsKnowPenaltiesOverMemoryAndRedis() throws IOException {
    String tests = write("tests.yaml", TESTS);
    assertThat(run("test", "--config", config, tests)).as(out + "" + err).isZero();
    try (RedisProcess redis = RedisProcess.start()) {
      assertThat(run("test", "--config", config, "--store", redis.uri(), tests))
          .as(out + "" + err)
          .isZero();
    }
  }

  @Test
  void aReplayIsTheSameOverMemoryAndRedis() throws IOException {
    StringBuilder lines = new StringBuilder();
    for (int second = 0; second < 2100; second += 7) {
      String client = second % 3 == 0 ? "a" : "b";
      lines.append(
          "{\"at\": %d, \"attributes\": {\"ip\": \"%s\"}}\n".formatted(second * 1000, client));
    }
    String log = write("log.jsonl", lines.toString());
    String memory = decisions("memory", log);
    try (RedisProcess redis = RedisProcess.start()) {
      assertThat(decisions(redis.uri(), log)).isEqualTo(memory);
    }
    assertThat(memory).contains("\"source\":\"penalty\",\"retryAfterMillis\":1800000");
  }

  private String decisions(String store, String log) {
    out.getBuffer().setLength(0);
    int status = run("simulate", "--config", config, "--store", store, "--decisions", "-", log);
    assertThat(status).as(err.toString()).isZero();
    return out.toString();
  }

  @Test
  void aDifferenceIsToldSettingBySetting() throws IOException {
    String after = write("after.yaml", RULES.replace("block: 15m", "block: 1h, growing: 1.5"));
    assertThat(run("diff", config, after)).as(err.toString()).isZero();
    assertThat(out.toString())
        .isEqualTo(
            """
            login/tries
              penalty.block was 15m, is 1h
              penalty.growing was 2, is 1.5
            """);
  }

  @Test
  void anExplanationNamesThePenalty() {
    assertThat(run("explain", "--config", config, "ip=a")).as(err.toString()).isZero();
    assertThat(out.toString())
        .contains("limit tries: 2 per minute; after 3 denials per 10m blocked for 15m\n");
  }

  private String write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }

  private int run(String... args) {
    return Weir.run(Terminal.PLAIN, new PrintWriter(out), new PrintWriter(err), args);
  }
}
