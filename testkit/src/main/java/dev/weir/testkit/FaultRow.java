package dev.weir.testkit;

import java.time.Duration;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One row of the {@link FaultReport}.
 *
 * @param longest the longest answer, if answers were timed
 * @param recovery from the end of the fault to the last answer that it had spoilt, if it ends
 */
record FaultRow(
    String fault,
    int tried,
    String outcome,
    Optional<Duration> longest,
    Optional<Duration> recovery) {
  private static final String NONE = "-";

  /** What would end a line or a cell becomes a space. */
  FaultRow {
    fault = oneCell(fault);
    outcome = oneCell(outcome);
  }

  private static String oneCell(String text) {
    return text.replaceAll("[\\t\\r\\n|]+", " ");
  }

  /** The first number of the fault, for sorting; rows without one come last. */
  int number() {
    String digits = fault.replaceAll("^(\\d*).*", "$1");
    return digits.isEmpty() ? Integer.MAX_VALUE : Integer.parseInt(digits);
  }

  /** With tabs between the fields, and times in microseconds. */
  String toLine() {
    return Stream.of(fault, String.valueOf(tried), outcome, micros(longest), micros(recovery))
        .collect(Collectors.joining("\t"));
  }

  static FaultRow parse(String line) {
    String[] fields = line.split("\t");
    return new FaultRow(
        fields[0],
        Integer.parseInt(fields[1]),
        fields[2],
        duration(fields[3]),
        duration(fields[4]));
  }

  String toMarkdown() {
    return Stream.of(
            fault,
            String.valueOf(tried),
            outcome,
            longest.map(FaultRow::millis).orElse("not timed"),
            recovery.map(FaultRow::millis).orElse(NONE))
        .collect(Collectors.joining(" | ", "| ", " |"));
  }

  private static String millis(Duration time) {
    return time.toMillis() == 0 ? "under 1 ms" : time.toMillis() + " ms";
  }

  private static String micros(Optional<Duration> time) {
    return time.map(t -> String.valueOf(t.toNanos() / 1000)).orElse(NONE);
  }

  private static Optional<Duration> duration(String micros) {
    return micros.equals(NONE)
        ? Optional.empty()
        : Optional.of(Duration.ofNanos(Long.parseLong(micros) * 1000));
  }
}
