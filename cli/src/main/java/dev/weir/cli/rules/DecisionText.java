package dev.weir.cli.rules;

import dev.weir.Decision;
import dev.weir.Outcome;
import dev.weir.Source;
import dev.weir.cli.console.AnsiStyle;
import dev.weir.cli.console.HumanFormat;
import dev.weir.http.DecisionJson;
import dev.weir.internal.text.JsonWriter;
import dev.weir.internal.text.KebabCase;
import dev.weir.rules.Explanation;
import java.time.Duration;

/** Decisions as text for people. */
final class DecisionText {
  private final AnsiStyle style;

  DecisionText(AnsiStyle style) {
    this.style = style;
  }

  static String json(Decision decision) {
    StringBuilder out = new StringBuilder();
    DecisionJson.write(decision, out);
    return out.toString();
  }

  /** The members of the decision, and then the rules. */
  static String json(Decision decision, Explanation explanation) {
    StringBuilder out = new StringBuilder();
    DecisionJson.write(decision, out);
    JsonWriter.reopenObject(out).rawMember("rules", explanation.rulesAsJson()).endObject();
    return out.toString();
  }

  /** One line for the whole. */
  String verdict(Decision decision) {
    if (decision.allowed()) {
      return style.good("allowed") + (decision.outcomes().isEmpty() ? ": no limit applies" : "");
    }
    String by =
        decision
            .deniedBy()
            .map(outcome -> " by " + outcome.policy().rule() + "/" + outcome.policy().name())
            .orElse("");
    return style.bad("denied") + by + ": " + again(decision.retryAfter());
  }

  /** One line for one limit: its state, and when the request would pass. */
  String state(Outcome outcome) {
    if (outcome.claim().isBlocked()) {
      return mode(outcome) + "blocked, never passes";
    }
    if (outcome.source() == Source.PENALTY) {
      return mode(outcome) + "blocked by its penalty; " + again(outcome.retryAfter());
    }
    String left =
        outcome.remaining()
            + " of "
            + outcome.policy().limit().capacity()
            + " left"
            + (outcome.resetAfter().isZero()
                ? ""
                : ", all of them in " + HumanFormat.wait(outcome.resetAfter()));
    if (outcome.claim().asksTooMuch()) {
      return mode(outcome)
          + left
          + "; one request can take at most "
          + outcome.policy().mostPerRequest();
    }
    return mode(outcome)
        + left
        + warning(outcome)
        + (outcome.allowed() ? "" : "; " + again(outcome.retryAfter()));
  }

  private static String warning(Outcome outcome) {
    return outcome.warning() ? ", over its warn-at" : "";
  }

  private static String mode(Outcome outcome) {
    return outcome.policy().enforced() ? "" : KebabCase.of(outcome.policy().mode()) + ": ";
  }

  private static String again(Duration wait) {
    return wait.equals(Decision.NEVER) ? "never passes" : "passes in " + HumanFormat.wait(wait);
  }
}
