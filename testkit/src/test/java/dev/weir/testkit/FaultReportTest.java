package dev.weir.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows of several modules become one page. */
final class FaultReportTest {
  private static final FaultRow KILLED =
      new FaultRow(
          "9, 1 killed",
          3,
          "5 of 9|bound 5",
          Optional.of(Duration.ofMillis(42)),
          Optional.of(Duration.ofNanos(5000)));
  private static final FaultRow STOPPED =
      new FaultRow("59 SIGTERM", 40, "all\nanswered", Optional.empty(), Optional.empty());
  private static final FaultRow OVERLOAD =
      new FaultRow("overload", 1, "shed", Optional.empty(), Optional.empty());

  @Test
  void thePageHasTheRowsOfAllModulesOfTheRunInTheOrderOfTheirNumbers(@TempDir Path modules)
      throws Exception {
    FaultReport.write(modules.resolve("a/target/faults.tsv"), "this", List.of(OVERLOAD, STOPPED));
    FaultReport.write(modules.resolve("b/target/faults.tsv"), "this", List.of(KILLED));
    FaultReport.write(modules.resolve("c/target/faults.tsv"), "earlier", List.of(KILLED));

    assertThat(FaultReport.page(FaultReport.rowsOfRun(modules, "this")))
        .startsWith("# Fault report\n")
        .endsWith(
            """
            |---|---|---|---|---|
            | 9, 1 killed | 3 | 5 of 9 bound 5 | 42 ms | under 1 ms |
            | 59 SIGTERM | 40 | all answered | not timed | - |
            | overload | 1 | shed | not timed | - |
            """);
  }

  @Test
  void aRowIsReadAsItWasWritten() {
    assertThat(FaultRow.parse(KILLED.toLine())).isEqualTo(KILLED);
    assertThat(FaultRow.parse(STOPPED.toLine())).isEqualTo(STOPPED);
  }
}
