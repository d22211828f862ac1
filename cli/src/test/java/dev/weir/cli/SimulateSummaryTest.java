package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.console.Terminal;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What simulate tells people. */
final class SimulateSummaryTest {
  private static final String RULES =
      """
      rules:
        - name: r
          limits:
            - {name: l, key: user, limit: 2 per 10s, algorithm: fixed-window}
      """;

  @TempDir private Path folder;
  private Path config;
  private Path candidate;
  private Path log;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void writeFiles() throws IOException {
    config = Files.writeString(folder.resolve("weir.yaml"), RULES);
    candidate =
        Files.writeString(folder.resolve("candidate.yaml"), RULES.replace("2 per", "3 per"));
    log =
        Files.writeString(
            folder.resolve("access.log"),
            """
            {"at": 0, "attributes": {"user": "<b>"}}
            {"at": 1, "attributes": {"user": "<b>"}, "permits": 2}
            {"at": 1, "attributes": {"user": "c"}}
            {"at": 11000, "attributes": {}}
            """);
  }

  @Test
  void theSummaryCountsComparesAndAdvises() {
    assertThat(
            run(
                "simulate",
                "--config",
                config.toString(),
                "--candidate",
                candidate.toString(),
                log.toString()))
        .isZero();
    assertThat(err.toString()).isEmpty();
    assertThat(out.toString())
        .isEqualTo(
            """
            requests            4
            allowed             3
            denied              1  25.0 %
            no limit            1  25.0 %

            By limit
              r/l: 2 per 10s            3 asked            1 denied

            Denied most
                         1  r/l  <b>

            With the candidate
              denied                    0  0.0 %
              newly denied              0
              newly allowed             1

            Newly allowed most
                         1  r/l  <b>

            Over time (UTC): requests, denied
              1970-01-01 00:00:00            3            1  xxxxxxxxxxxxxx--------------------------
              1970-01-01 00:00:11            1            0  -------------

            Advice: what would have passed every request of
              r/l: 2 per 10s
                99 %   of the keys  3 per 10s  (1.5 times today's, spares 1 of 1 denials)
                99.9 % of the keys  3 per 10s  (1.5 times today's, spares 1 of 1 denials)
                all    of the keys  3 per 10s  (1.5 times today's, spares 1 of 1 denials)
            """);
  }

  @Test
  void theReportNeedsNothingElseAndTrustsNoKey() throws IOException {
    Path report = folder.resolve("report.html");
    assertThat(
            run(
                "simulate",
                "--config",
                config.toString(),
                "--report",
                report.toString(),
                log.toString()))
        .isZero();
    assertThat(Files.readString(report))
        .startsWith("<!DOCTYPE html>")
        .contains("prefers-color-scheme: dark", "@media print", "<svg", "&lt;b&gt;")
        .doesNotContain("<b>", "<script", "http", "url(", "@import");
  }

  @Test
  void theSampleHasAHundredThousandLines() {
    assertThat(run("simulate", "--sample")).isZero();
    assertThat(out.toString().lines().count()).isEqualTo(100_000);
  }

  @Test
  void withoutALogTheCommandIsAUsageError() {
    assertThat(run("simulate", "--config", config.toString())).isEqualTo(2);
    assertThat(err.toString()).startsWith("a log is needed: a file, or - for standard input\n");
  }

  private int run(String... args) {
    return Weir.run(Terminal.PLAIN, new PrintWriter(out, true), new PrintWriter(err, true), args);
  }
}
