package dev.weir.testkit;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;

/** Finds programs that tests need and that must be installed. */
public final class ExternalPrograms {
  private ExternalPrograms() {}

  /**
   * Returns the program. If it is missing, the test is skipped on a laptop and fails in CI (where
   * the environment has {@code CI=true}), so that no test is skipped there unnoticed.
   *
   * @param name what to install, for the message
   */
  public static Path require(Optional<Path> program, String name) {
    return require(program, name, "true".equals(System.getenv("CI")));
  }

  static Path require(Optional<Path> program, String name, boolean inCi) {
    if (program.isEmpty() && inCi) {
      throw new AssertionError(name + " must be installed in CI, was not found");
    }
    Assumptions.assumeTrue(program.isPresent(), name + " is not installed");
    return program.orElseThrow();
  }
}
