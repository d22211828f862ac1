package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.console.Terminal;
import dev.weir.testkit.RedisProcess;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command simulate, as a user calls it. */
final class SimulateTest extends SimulateFixture {
  /** The tables that every implementation of a limit is held against. */
  private static final Path VECTORS = Path.of("../core/src/test/resources/vectors");

  @BeforeEach
  void writeRules() throws IOException {
    rules("{name: l, key: user, limit: 1 per second, burst: 5}");
  }

  @Test
  void aDecisionIsOneLineWithItsTimeInFront() throws IOException {
    Files.writeString(
        log,
        """
        {"at": 0.25, "attributes": {"user": "a"}, "permits": 5}
        {"at": 1500.2504, "attributes": {"user": "a"}, "permits": 2}
        {"at": "1970-01-01T00:00:02Z", "attributes": {"user": "a"}, "permits": 9}
        {"at": 2500, "attributes": {}}
        """);
    assertThat(decide()).isZero();
    assertThat(out.toString())
        .isEqualTo(
            line("0.25", true, "0", true, 0, "0", 5000)
                + line("1500.25", false, "500", false, 1, "500", 3500)
                + line("2000", false, "null", false, 1, "null", 3001)
                + "{\"at\":2500,\"allowed\":true,\"source\":\"store\",\"retryAfterMillis\":0,"
                + "\"limits\":[]}\n");
  }

  @Test
  void aTimeEarlierThanOneBeforeItCountsAsThatOne() throws IOException {
    Files.writeString(
        log,
        """
        {"at": 9000, "attributes": {"user": "a"}, "permits": 5}
        {"at": 1000, "attributes": {"user": "a"}}
        """);
    assertThat(decide()).isZero();
    assertThat(out.toString()).endsWith(line("9000", false, "1000", false, 0, "1000", 5000));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "token-bucket   | limit: 1 per second, burst: 5",
        "fixed-window   | limit: 5 per 10s, algorithm: fixed-window",
        "sliding-window | limit: 5 per 10s, algorithm: sliding-window",
        "sliding-log    | limit: 5 per 10s, algorithm: sliding-log",
      })
  void theTablesHoldOverMemoryAndRedis(String table, String limit) throws IOException {
    rules("{name: l, key: user, " + limit + "}");
    List<String> rows = Files.readAllLines(VECTORS.resolve(table + ".csv"));
    List<String> names = List.of(rows.get(1).split(","));
    List<String[]> cells = rows.stream().skip(2).map(row -> row.split(",")).toList();
    Files.write(log, cells.stream().map(SimulateTest::request).toList());

    assertThat(decide()).isZero();
    String overMemory = out.toString();
    assertThat(overMemory.lines().map(SimulateTest::answer).toList())
        .isEqualTo(cells.stream().map(row -> expected(names, row)).toList());

    out.getBuffer().setLength(0);
    try (RedisProcess redis = RedisProcess.start()) {
      assertThat(decide("--store", redis.uri())).isZero();
      assertThat(out.toString()).isEqualTo(overMemory);
    }
  }

  @Test
  void aWeekOfAShopIsTheSameOverMemoryAndRedis() throws IOException {
    rules(
        "{name: b, key: ip, limit: 10 per minute}",
        "{name: s, key: ip, limit: 7 per hour, algorithm: sliding-window}",
        "{name: g, key: [ip, path], limit: 5 per hour, algorithm: sliding-log}",
        "{name: d, key: user, limit: 20 per day in Europe/Berlin, algorithm: fixed-window}",
        "{name: a, key: [], limit: 100 per 7s, burst: 150}");
    StringWriter sample = new StringWriter();
    Weir.run(Terminal.PLAIN, new PrintWriter(sample), new PrintWriter(err), "simulate", "--sample");
    Files.write(log, sample.toString().lines().skip(45_000).limit(5000).toList());
    assertThat(decide()).isZero();
    String overMemory = out.toString();
    assertThat(overMemory).contains("\"allowed\":false");

    out.getBuffer().setLength(0);
    try (RedisProcess redis = RedisProcess.start()) {
      assertThat(decide("--store", redis.uri())).isZero();
    }
    assertThat(out.toString().equals(overMemory)).isTrue();
  }

  @Test
  void accessLogsAreReadLineByLine() throws IOException {
    rules(
        "{name: a, key: [ip, method, path, status], limit: 5 per hour}",
        "{name: u, key: user, limit: 3 per hour}");
    Files.writeString(
        log,
        """
        192.0.2.1 - - [10/Oct/2026:13:55:36 +0200] "GET /cart?x=1 HTTP/1.1" 200 2326
        192.0.2.1 - mia [10/Oct/2026:13:55:37 +0200] "GET /cart HTTP/1.1" 200 - "-" "say \\"hi\\""
        192.0.2.1 - - [10/Oct/2026:13:55:37 +0200] "\\x16\\x03" 400 0
        """);
    assertThat(decide()).isZero();
    assertThat(out.toString().lines().map(SimulateTest::remaining))
        .containsExactly("1791633336000 4", "1791633337000 3 2", "1791633337000");
    assertThat(err.toString()).doesNotContain("malformed");
  }

  @Test
  void aCompressedLogIsRecognised() throws IOException {
    try (OutputStream gzip = new GZIPOutputStream(Files.newOutputStream(log))) {
      gzip.write("{\"at\": 1, \"attributes\": {\"user\": \"ü\"}}".getBytes(StandardCharsets.UTF_8));
    }
    assertThat(decide()).isZero();
    assertThat(out.toString()).isEqualTo(line("1", true, "0", true, 4, "0", 1000));
  }

  @Test
  void malformedLinesAreSkippedCountedAndNamed() throws IOException {
    Files.writeString(
        log,
        """
        no request
        {"at": 1, "attributes": {"user": "a"}}

        {"attributes": {"user": "a"}}
        {"at": -1}
        {"at": 1, "permits": 1.5}
        {"at": 1, "attributes": {"user": ["a"]}}
        {"at": 1} 2
        {"at": "yesterday"}
        """);
    assertThat(decide()).isZero();
    assertThat(out.toString().lines()).hasSize(1);
    assertThat(err.toString())
        .startsWith(
            """
            7 malformed lines skipped:
              line 1: neither JSON nor an access log
              line 4: at is missing, and no other known field has the time (--time-field names one)
              line 5: at must be between 1970 and 2149, was -1
              line 6: permits must be a whole number, 0 or more, was 1.5
              line 7: attribute user must be a text or a number
              and 2 more
            """);
  }

  @Test
  void aLoneSurrogateIsEscapedInEveryOutput() throws IOException {
    rules("{name: l, key: user, limit: 1 per hour}");
    Files.writeString(
        log,
        """
        {"at": 1, "attributes": {"user": "\\ud800"}}
        {"at": 1, "attributes": {"user": "\\ud800"}}
        """);
    Path report = folder.resolve("report.html");
    Path decisions = folder.resolve("decisions.jsonl");
    int exit = run("--decisions", decisions.toString(), "--report", report.toString());
    assertThat(exit).as(err.toString()).isZero();
    assertThat(out.toString()).contains("1  r/l  \\ud800");
    assertThat(Files.readString(report)).contains("\\ud800");
    assertThat(Files.readAllLines(decisions)).hasSize(2);
  }

  @Test
  void anOutputThatWouldOverwriteAnInputIsRefused() throws IOException {
    String line = "{\"at\": 1, \"attributes\": {\"user\": \"a\"}}\n";
    Files.writeString(log, line);
    Path link = Files.createSymbolicLink(folder.resolve("link"), log);
    String sameName = folder + "/../" + folder.getFileName() + "/access.log";
    for (String output : List.of(log.toString(), link.toString(), sameName)) {
      assertThat(run("--decisions", output)).isEqualTo(2);
      assertThat(run("--report", output)).isEqualTo(2);
    }
    assertThat(err.toString())
        .startsWith("--decisions must be another file than " + log + ", was " + log + "\n");
    assertThat(run("--report", config.toString())).isEqualTo(2);
    String both = folder.resolve("both").toString();
    assertThat(run("--decisions", both, "--report", both)).isEqualTo(2);
    assertThat(log).hasContent(line);
    assertThat(config).isNotEmptyFile();
  }

  @Test
  void aCostThatIsNoNumberMakesALineMalformed() throws IOException {
    rules("{name: l, key: user, limit: 5 per hour, cost: tokens}");
    Files.writeString(
        log,
        """
        {"at": 1, "attributes": {"user": "a", "tokens": 3}}
        {"at": 2, "attributes": {"user": "a", "tokens": "many"}}
        """);
    assertThat(decide()).isZero();
    assertThat(out.toString().lines().map(SimulateTest::remaining)).containsExactly("1 2");
    assertThat(err.toString())
        .contains("line 2: attribute tokens must be a whole number, 0 or more, was \"many\"");
  }

  @Test
  void aLogWithoutARequestIsAnError() throws IOException {
    Files.writeString(log, "");
    assertThat(decide()).isEqualTo(1);
    Files.writeString(log, "junk\n");
    assertThat(decide()).isEqualTo(1);
    assertThat(out.toString()).isEmpty();
    String none = log + ": there is no request in it\n";
    assertThat(err.toString())
        .isEqualTo(
            none
                + "1 malformed line skipped:\n"
                + "  line 1: neither JSON nor an access log\n"
                + none);
  }

  @Test
  void whatIsMissingIsNamed() throws IOException {
    assertThat(decide()).isEqualTo(1);
    assertThat(err.toString()).isEqualTo(log + ": there is no such file\n");
    assertThat(decide("--store", "postgres://x")).isEqualTo(2);
    assertThat(err.toString())
        .contains(
            "--store must be memory, redis://, rediss://, redis-sentinel://, rediss-sentinel://,"
                + " redis-cluster:// or rediss-cluster://, was postgres://***");
    Files.writeString(config, "");
    assertThat(decide()).isEqualTo(1);
  }

  private static String line(
      String at, boolean all, String wait, boolean one, long left, String again, long reset) {
    return "{\"at\":"
        + at
        + ",\"allowed\":"
        + all
        + ",\"source\":\"store\",\"retryAfterMillis\":"
        + wait
        + ",\"limits\":[{\"rule\":\"r\",\"name\":\"l\",\"mode\":\"enforce\",\"allowed\":"
        + one
        + ",\"limit\":1,\"capacity\":5,\"remaining\":"
        + left
        + ",\"retryAfterMillis\":"
        + again
        + ",\"resetAfterMillis\":"
        + reset
        + "}]}\n";
  }

  private static String request(String[] row) {
    return "{\"at\": "
        + row[0]
        + ", \"attributes\": {\"user\": \"a\"}, \"permits\": "
        + row[1]
        + "}";
  }

  /** Allowed, remaining and retryAfterMillis of the only limit. */
  private static String answer(String line) {
    return line.replaceAll(
        ".*\"allowed\":(\\w+),\"limit\".*\"remaining\":(\\d+),\"retryAfterMillis\":(\\w+),.*",
        "$1 $2 $3");
  }

  private static String expected(List<String> names, String[] row) {
    String wait = row[names.indexOf("retry_after")];
    return row[2] + " " + row[3] + " " + (wait.equals("never") ? "null" : wait);
  }
}
