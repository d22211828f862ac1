package dev.weir.spring.internal.start;

import dev.weir.rules.InvalidRulesException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains a file with rules that was refused. */
final class InvalidRulesFailureAnalyzer extends AbstractFailureAnalyzer<InvalidRulesException> {
  @Override
  protected FailureAnalysis analyze(Throwable failure, InvalidRulesException cause) {
    return new FailureAnalysis(
        "The rules in the file of weir.rules-file were refused:\n\n"
            + cause.getMessage().indent(4).stripTrailing(),
        "Correct the file, or let weir.rules-file name another one.",
        cause);
  }
}
