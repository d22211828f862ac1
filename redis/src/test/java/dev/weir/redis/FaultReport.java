package dev.weir.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Collects what the tests of faults have seen, and writes it as a table when they are over: to
 * {@code target/faults.md}, and with {@code -Dweir.fault-report=FILE} as a page of its own.
 */
final class FaultReport {
  private static final List<Row> ROWS = new CopyOnWriteArrayList<>();
  private static final String HEAD =
      """
      | fault | tried | what happened, admitted against the bound | longest decision | time to recover |
      |---|---|---|---|---|
      """;
  private static final String INTRODUCTION =
      """
      # Fault report

      What was done to real servers, and what came of it. Each row is a test that fails if its bound
      is broken; the numbers in front are those of the list of faults the tests follow. A fleet is
      three processes with a limiter each, behind guards with a deadline of 100 ms, under a steady
      load from four callers each. Made by
      `mvn -B verify -Pfull -pl redis -am -Dweir.fault-report=$PWD/docs/fault-report.md`.

      Bounds: healthy, never above the limit. A server that comes back empty: one extra burst. A
      local share: what was used before plus the limit over all instances. A failover that loses the
      last d seconds: one burst and what refills in d. A call whose outcome is unknown: counted at
      most once.

      """;

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(FaultReport::write));
  }

  private record Row(
      String fault, int tried, String outcome, Duration longest, Optional<Duration> recovery) {
    /** By the number in front, then by text. */
    int number() {
      String digits = fault.replaceAll("^(\\d*).*", "$1");
      return digits.isEmpty() ? Integer.MAX_VALUE : Integer.parseInt(digits);
    }

    @Override
    public String toString() {
      String longestText = longest.isZero() ? "not timed" : millis(longest);
      String recoveryText = recovery.map(Row::millis).orElse("-");
      return Stream.of(fault, String.valueOf(tried), outcome, longestText, recoveryText)
          .collect(Collectors.joining(" | ", "| ", " |"));
    }

    private static String millis(Duration time) {
      return time.toMillis() == 0 ? "under 1 ms" : time.toMillis() + " ms";
    }
  }

  private FaultReport() {}

  static void row(String fault, int tried, String outcome, Duration longest) {
    ROWS.add(new Row(fault, tried, outcome, longest, Optional.empty()));
  }

  /**
   * @param recovery from the end of the fault to the last answer that it had spoilt
   */
  static void row(String fault, int tried, String outcome, Duration longest, Duration recovery) {
    ROWS.add(new Row(fault, tried, outcome, longest, Optional.of(recovery)));
  }

  private static void write() {
    String table =
        ROWS.stream()
            .sorted(Comparator.comparingInt(Row::number).thenComparing(Row::fault))
            .map(Row::toString)
            .collect(Collectors.joining("\n", HEAD, "\n"));
    try {
      Files.writeString(Path.of("target", "faults.md"), table);
      Optional<String> page = Optional.ofNullable(System.getProperty("weir.fault-report"));
      if (page.isPresent()) {
        Files.writeString(Path.of(page.get()), INTRODUCTION + table);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
