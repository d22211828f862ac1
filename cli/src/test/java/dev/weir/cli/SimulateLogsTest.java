package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/** What simulate makes of logs as people have them. */
final class SimulateLogsTest extends SimulateFixture {
  @Test
  void partsOfARotatedLogAreReadInTheOrderOfTheirTimes() throws IOException {
    rules("{name: l, key: user, limit: 5 per hour}");
    Path older = folder.resolve("access.log.2.gz");
    try (OutputStream gzip = new GZIPOutputStream(Files.newOutputStream(older))) {
      gzip.write(
          "{\"at\": 1, \"attributes\": {\"user\": \"a\"}}\nx".getBytes(StandardCharsets.UTF_8));
    }
    Path other = folder.resolve("access.log.1"); // of another server, at the same time
    Files.writeString(
        other,
        """
        {"at": 3, "attributes": {"user": "a"}}
        {"at": 5, "attributes": {"user": "a"}}
        """);
    Files.writeString(
        log,
        """
        {"at": 2, "attributes": {"user": "a"}}
        {"at": 4, "attributes": {"user": "a"}}
        """);
    assertThat(decide(other.toString(), older.toString())).as(err.toString()).isZero();
    assertThat(out.toString().lines().map(SimulateLogsTest::remaining))
        .containsExactly("1 4", "2 3", "3 2", "4 1", "5 0");
    assertThat(err.toString()).contains(older + " line 2: neither JSON nor an access log");
  }

  @Test
  void theStatusOfALineSaysWhetherALimitCountsIt() throws IOException {
    rules("{name: l, key: ip, limit: 2 per hour, count: {status: [401]}}");
    StringBuilder lines = new StringBuilder();
    for (int status : new int[] {200, 200, 200, 401, 200, 401, 401, 200}) {
      lines.append(
          "192.0.2.1 - - [10/Oct/2026:13:55:36 +0000] \"GET / HTTP/1.1\" " + status + " 1\n");
    }
    Files.writeString(log, lines);
    assertThat(decide()).as(err.toString()).isZero();
    assertThat(out.toString().lines().map(line -> line.contains("\"allowed\":true,\"source\"")))
        .containsExactly(true, true, true, true, true, true, false, false);
    // Three failures, and a permit for the moment of a try that succeeds.
    assertThat(err.toString()).contains("all    of the keys  4 per hour");
  }

  @Test
  void aLimitThatNoLineAsksIsNamedWithTheReason() throws IOException {
    Files.writeString(
        config,
        """
        rules:
          - name: r
            limits:
              - {name: a, key: ip, limit: 5 per hour}
              - {name: u, key: [tenant, user], limit: 5 per hour}
          - name: s
            when: {path: /nowhere}
            limits: [{name: n, key: ip, limit: 5 per hour}]
        """);
    Files.writeString(log, "192.0.2.1 - - [10/Oct/2026:13:55:36 +0000] \"GET / HTTP/1.1\" 200 1\n");
    assertThat(run()).isZero();
    assertThat(out.toString())
        .contains(
            """
            By limit
              r/a: 5 per hour            1 asked            0 denied
              r/u                        0 asked: no line has attributes tenant, user
              s/n                        0 asked: no line matches the rule and has its key
            """);
  }

  @Test
  void linesWithoutAnAddressAreSkippedAndCounted() throws IOException {
    rules("{name: a, key: ip, limit: 1 per hour}");
    Files.writeString(
        log,
        """
        a.example - - [10/Oct/2026:13:55:36 +0000] "GET / HTTP/1.1" 200 1
        192.0.2.1 - - [10/Oct/2026:13:55:36 +0000] "GET / HTTP/1.1" 200 1
        a.example - - [10/Oct/2026:13:55:37 +0000] "GET / HTTP/1.1" 200 1
        """);
    assertThat(decide()).isZero();
    assertThat(out.toString().lines().map(SimulateLogsTest::remaining))
        .containsExactly("1791640536000 0");
    assertThat(err.toString())
        .startsWith(
            """
            2 lines have no address of a client and were skipped (--map ip=client takes the text for one):
              line 1: a.example
            """);
  }
}
