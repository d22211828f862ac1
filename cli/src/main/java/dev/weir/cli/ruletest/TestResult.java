package dev.weir.cli.ruletest;

import dev.weir.cli.ruletest.ExpectedAnswer.Difference;
import java.util.List;

/**
 * What came of a test: it has passed if nothing failed.
 *
 * @param requests how many were decided
 */
record TestResult(RuleTest test, long requests, List<FailedStep> failures) {
  boolean passed() {
    return failures.isEmpty();
  }

  /**
   * A request that was not answered as expected; of several equal ones, the first.
   *
   * @param index which of the equal requests, from 0
   * @param explanation what the rules made of it, line by line
   */
  record FailedStep(
      TestStep step, int index, List<Difference> differences, List<String> explanation) {}
}
