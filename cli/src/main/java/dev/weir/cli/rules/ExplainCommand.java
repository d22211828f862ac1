package dev.weir.cli.rules;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Outcome;
import dev.weir.RateLimiter;
import dev.weir.cli.console.AnsiStyle;
import dev.weir.cli.console.Terminal;
import dev.weir.internal.text.PrintableText;
import dev.weir.rules.Attributes;
import dev.weir.rules.Explanation;
import dev.weir.rules.Explanation.LimitView;
import dev.weir.rules.Explanation.RuleView;
import dev.weir.rules.RuleSet;
import dev.weir.spi.LimitStore;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Explains which rules apply to a request and why; takes nothing. */
@Command(
    name = "explain",
    description = "Says which rules apply to a request, why, and in what state; takes nothing.",
    footer = {"", "Exit status: 0 explained, 1 faults or no store, 2 usage error."})
public final class ExplainCommand implements Callable<Integer> {
  private final AnsiStyle style;
  private final DecisionText text;

  @Mixin private RequestOptions request = new RequestOptions();

  @Spec private CommandSpec spec;

  public ExplainCommand(Terminal terminal) {
    style = new AnsiStyle(terminal.colour());
    text = new DecisionText(style);
  }

  @Override
  public Integer call() {
    Attributes attributes = request.attributes();
    RuleSet rules = request.rules();
    List<Claim> claims = claims(rules, attributes, request.permits());
    try (LimitStore store = request.open(rules)) {
      answer(rules.explain(attributes), RateLimiter.forClaims(store).peek(claims));
    }
    request.noteUnused(rules, spec.commandLine().getErr());
    return 0;
  }

  private List<Claim> claims(RuleSet rules, Attributes attributes, long permits) {
    try {
      return rules.claims(attributes, permits);
    } catch (IllegalArgumentException badCost) {
      throw new ParameterException(spec.commandLine(), badCost.getMessage(), badCost);
    }
  }

  private void answer(Explanation explanation, Decision decision) {
    PrintWriter out = spec.commandLine().getOut();
    if (request.json()) {
      out.println(DecisionText.json(decision, explanation));
      return;
    }
    explanation.rules().forEach(rule -> print(out, rule, decision));
    out.println(text.verdict(decision));
  }

  private void print(PrintWriter out, RuleView rule, Decision decision) {
    if (!rule.matched()) {
      out.println(style.faint("rule " + rule.rule() + " does not match: " + rule.reason()));
      return;
    }
    out.println(style.strong("rule " + rule.rule()) + " matches: " + rule.reason());
    for (LimitView limit : rule.limits()) {
      out.println("  limit " + limit.name() + ": " + limit.reason());
      if (limit.key() != null) {
        out.println("    key    " + shown(limit.key()));
      }
      outcome(decision, rule.rule(), limit.name())
          .ifPresent(outcome -> out.println("    state  " + text.state(outcome)));
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
