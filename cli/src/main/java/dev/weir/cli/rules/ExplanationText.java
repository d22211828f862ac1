package dev.weir.cli.rules;

import dev.weir.Decision;
import dev.weir.Outcome;
import dev.weir.cli.console.AnsiStyle;
import dev.weir.internal.text.PrintableText;
import dev.weir.rules.Explanation;
import dev.weir.rules.Explanation.LimitView;
import dev.weir.rules.Explanation.RuleView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What rules make of a request, and the state of its limits, as lines for people. */
public final class ExplanationText {
  private final AnsiStyle style;
  private final DecisionText text;

  public ExplanationText(AnsiStyle style) {
    this.style = style;
    this.text = new DecisionText(style);
  }

  /** Every rule, and then the decision. */
  public List<String> lines(Explanation explanation, Decision decision) {
    List<String> lines = new ArrayList<>();
    explanation.rules().forEach(rule -> add(rule, decision, lines));
    lines.add(text.verdict(decision));
    return lines;
  }

  private void add(RuleView rule, Decision decision, List<String> lines) {
    if (!rule.matched()) {
      lines.add(style.faint("rule " + rule.rule() + " does not match: " + rule.reason()));
      return;
    }
    lines.add(style.strong("rule " + rule.rule()) + " matches: " + rule.reason());
    for (LimitView limit : rule.limits()) {
      lines.add("  limit " + limit.name() + ": " + limit.reason());
      if (limit.key() != null) {
        lines.add("    key    " + shown(limit.key()));
      }
      outcome(decision, rule.rule(), limit.name())
          .ifPresent(outcome -> lines.add("    state  " + text.state(outcome)));
    }
  }

  private static String shown(String key) {
    return key.isEmpty() ? "(empty)" : PrintableText.of(key);
  }

  private static Optional<Outcome> outcome(Decision decision, String rule, String limit) {
    return decision.outcomes().stream()
        .filter(outcome -> outcome.policy().rule().equals(rule))
        .filter(outcome -> outcome.policy().name().equals(limit))
        .findFirst();
  }
}
