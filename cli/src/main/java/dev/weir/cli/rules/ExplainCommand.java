package dev.weir.cli.rules;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.RateLimiter;
import dev.weir.cli.console.AnsiStyle;
import dev.weir.cli.console.Terminal;
import dev.weir.rules.Attributes;
import dev.weir.rules.Explanation;
import dev.weir.rules.RuleSet;
import dev.weir.spi.LimitStore;
import java.io.PrintWriter;
import java.util.List;
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
  private final ExplanationText text;

  @Mixin private RequestOptions request = new RequestOptions();

  @Spec private CommandSpec spec;

  public ExplainCommand(Terminal terminal) {
    text = new ExplanationText(new AnsiStyle(terminal.colour()));
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
    text.lines(explanation, decision).forEach(out::println);
  }
}
