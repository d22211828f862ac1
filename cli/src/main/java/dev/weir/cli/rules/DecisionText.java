package dev.weir.cli.rules;

import dev.weir.Decision;
import dev.weir.Outcome;
import dev.weir.cli.console.AnsiStyle;
import dev.weir.http.DecisionJson;
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
    String object = json(decision);
    String members = object.substring(0, object.length() - 1);
    return members + ",\"rules\":" + explanation.rulesAsJson() + "}";
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
    String left =
        outcome.remaining()
            + " of "
            + outcome.policy().limit().capacity()
            + " left"
            + (outcome.resetAfter().isZero()
                ? ""
                : ", all of them in " + words(outcome.resetAfter()));
    return mode(outcome) + left + (outcome.allowed() ? "" : "; " + again(outcome.retryAfter()));
  }

  private static String mode(Outcome outcome) {
    return outcome.policy().enforced() ? "" : "shadow: ";
  }

  private static String again(Duration wait) {
    return wait.equals(Decision.NEVER) ? "never passes" : "passes in " + words(wait);
  }

  /** Rounded up: 1.5 s, 12 min 3 s, 5 h 2 min, 3 days 4 h. */
  static String words(Duration time) {
    long millis = time.plusNanos(999_999).toMillis();
    if (millis < 1000) {
      return millis + " ms";
    }
    if (millis < 60_000) {
      return millis % 1000 == 0 ? millis / 1000 + " s" : millis / 1000.0 + " s";
    }
    long seconds = (millis + 999) / 1000;
    if (seconds < 3600) {
      return pair(seconds, 60, " min", " s");
    }
    long minutes = (seconds + 59) / 60;
    return minutes < 48 * 60
        ? pair(minutes, 60, " h", " min")
        : pair((minutes + 59) / 60, 24, " days", " h");
  }

  private static String pair(long small, int each, String largeUnit, String smallUnit) {
    String large = small / each + largeUnit;
    return small % each == 0 ? large : large + " " + small % each + smallUnit;
  }
}
