package dev.weir.spring.internal.start;

import dev.weir.spring.internal.rules.InvalidRulePropertiesException;
import dev.weir.spring.internal.rules.RulePropertyFault;
import java.util.stream.Collectors;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains rules in properties that were refused: property, value, where, what is allowed. */
final class InvalidRulePropertiesFailureAnalyzer
    extends AbstractFailureAnalyzer<InvalidRulePropertiesException> {
  @Override
  protected FailureAnalysis analyze(Throwable failure, InvalidRulePropertiesException cause) {
    return new FailureAnalysis(
        "The rules in the application's properties were refused:\n"
            + cause.faults().stream()
                .map(InvalidRulePropertiesFailureAnalyzer::paragraph)
                .collect(Collectors.joining("\n")),
        "Correct these properties. Rules have the same format as in a rules file.",
        cause);
  }

  private static String paragraph(RulePropertyFault fault) {
    StringBuilder text = new StringBuilder("\n    Property: ").append(fault.property());
    if (fault.value() != null) {
      text.append("\n    Value: \"").append(fault.value()).append('"');
    }
    if (fault.origin() != null) {
      text.append("\n    Origin: ").append(fault.origin());
    }
    return text.append("\n    Reason: ").append(fault.text()).toString();
  }
}
