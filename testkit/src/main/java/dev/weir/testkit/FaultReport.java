package dev.weir.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Collects what the tests of faults have measured. The rows of a module are written to its {@code
 * target/faults.tsv}; with {@code -Dweir.fault-report=FILE}, an absolute path, the rows of all
 * modules that have run so far in the same Maven run are written to one page as well.
 *
 * <p>Both files are written as a whole with every row, so nothing is lost when a run breaks off.
 * The first line of a module's file names the Maven run; rows of another run never reach the page.
 * Safe for many threads of one JVM per module.
 */
public final class FaultReport {
  private static final Path OWN_ROWS = Path.of("target", "faults.tsv");
  private static final String RUN = System.getProperty("weir.run", "not by Maven");
  private static final List<FaultRow> ROWS = new ArrayList<>();
  private static final String INTRODUCTION =
      """
      # Fault report

      The faults that tests cause in real servers and in the service, and what they measured. Each
      row is a test that fails if its bound is broken; the numbers in front are those of the list of
      faults that the tests follow. A fleet is three processes with a limiter each, behind guards with a deadline of
      100 ms, under a steady load from four callers each. Made by
      `mvn -B verify -Pfull -pl redis,server,cli -am -Dweir.fault-report=$PWD/docs/fault-report.md`.

      Bounds: healthy, never above the limit. A server that comes back empty: one extra burst. A
      local share: what was used before plus the limit over all instances. A failover that loses the
      last d seconds: one burst and what refills in d. A call whose outcome is unknown: counted at
      most once.

      | fault | tried | what happened, admitted against the bound | longest answer | time to recover |
      |---|---|---|---|---|
      """;

  private FaultReport() {}

  /**
   * Adds a row whose answers were not timed.
   *
   * @param fault the numbers of the fault, with commas between them, and what it is
   * @param tried how often, 1 or more
   * @param outcome what happened, with the measured value and its bound
   */
  public static void row(String fault, int tried, String outcome) {
    add(new FaultRow(fault, tried, outcome, Optional.empty(), Optional.empty()));
  }

  /**
   * Adds a row.
   *
   * @param longest the longest that a caller waited for an answer
   */
  public static void row(String fault, int tried, String outcome, Duration longest) {
    add(new FaultRow(fault, tried, outcome, Optional.of(longest), Optional.empty()));
  }

  /**
   * Adds a row of a fault that ends.
   *
   * @param longest zero if answers were not timed
   * @param recovery from the end of the fault to the last answer that it affected
   */
  public static void row(
      String fault, int tried, String outcome, Duration longest, Duration recovery) {
    Optional<Duration> timed = Optional.of(longest).filter(time -> !time.isZero());
    add(new FaultRow(fault, tried, outcome, timed, Optional.of(recovery)));
  }

  private static synchronized void add(FaultRow row) {
    ROWS.add(row);
    try {
      write(OWN_ROWS, RUN, ROWS);
      Optional<Path> page =
          Optional.ofNullable(System.getProperty("weir.fault-report")).map(Path::of);
      if (page.isPresent()) {
        Path modules = Path.of("").toAbsolutePath().getParent();
        Files.writeString(page.get(), page(rowsOfRun(modules, RUN)));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static void write(Path file, String run, List<FaultRow> rows) throws IOException {
    Files.createDirectories(file.toAbsolutePath().getParent());
    Stream<String> lines = rows.stream().map(FaultRow::toLine);
    Files.write(file, Stream.concat(Stream.of(run), lines).toList());
  }

  /** The rows that modules in this directory have written in this run. */
  static List<FaultRow> rowsOfRun(Path modules, String run) throws IOException {
    List<FaultRow> rows = new ArrayList<>();
    try (Stream<Path> directories = Files.list(modules)) {
      for (Path file : directories.map(module -> module.resolve(OWN_ROWS)).toList()) {
        List<String> lines = Files.exists(file) ? Files.readAllLines(file) : List.of();
        if (!lines.isEmpty() && lines.get(0).equals(run)) {
          lines.stream().skip(1).map(FaultRow::parse).forEach(rows::add);
        }
      }
    }
    return rows;
  }

  static String page(List<FaultRow> rows) {
    return rows.stream()
        .sorted(Comparator.comparingInt(FaultRow::number).thenComparing(FaultRow::fault))
        .map(FaultRow::toMarkdown)
        .collect(Collectors.joining("\n", INTRODUCTION, "\n"));
  }
}
