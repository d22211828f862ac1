package dev.weir.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;

/** Adds the rows of the fault report to {@code target/faults.md}, as the tests see them. */
final class FaultReport {
  private static final Path FILE = Path.of("target", "faults.md");

  private FaultReport() {}

  static void row(String fault, int tried, String outcome, Duration longest) {
    String row =
        String.format("| %s | %d | %s | %d ms |%n", fault, tried, outcome, longest.toMillis());
    try {
      Files.writeString(FILE, row, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
