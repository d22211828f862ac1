package dev.weir.spring.internal.start;

import dev.weir.spring.internal.setting.InvalidSettingException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains a property that was refused: its name, its value, what is allowed. */
final class InvalidSettingFailureAnalyzer extends AbstractFailureAnalyzer<InvalidSettingException> {
  @Override
  protected FailureAnalysis analyze(Throwable failure, InvalidSettingException cause) {
    return new FailureAnalysis(
        "A property was refused:\n\n    Property: "
            + cause.property()
            + "\n    Value: "
            + cause.value()
            + "\n    Reason: "
            + cause.expected(),
        "Change the property " + cause.property() + ".",
        cause);
  }
}
