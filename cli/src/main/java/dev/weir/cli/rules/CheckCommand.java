package dev.weir.cli.rules;

import dev.weir.Decision;
import dev.weir.RateLimiter;
import dev.weir.cli.console.AnsiStyle;
import dev.weir.cli.console.Terminal;
import dev.weir.rules.Attributes;
import dev.weir.rules.RuleSet;
import dev.weir.spi.LimitStore;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Decides one request, and takes its permits if it is allowed. */
@Command(
    name = "check",
    description = "Decides one request, and takes its permits if it is allowed.",
    footer = {
      "",
      "Exit status: 0 decided either way, 1 faults or no store, 2 usage error.",
      "State in memory ends with the command; with --store redis:// it is shared."
    })
public final class CheckCommand implements Callable<Integer> {
  private final DecisionText text;

  @Mixin private RequestOptions request = new RequestOptions();

  @Spec private CommandSpec spec;

  public CheckCommand(Terminal terminal) {
    text = new DecisionText(new AnsiStyle(terminal.colour()));
  }

  @Override
  public Integer call() {
    Attributes attributes = request.attributes();
    long permits = request.permits();
    RuleSet rules = request.rules();
    try (LimitStore store = request.open(rules)) {
      answer(decide(rules, store, attributes, permits));
    }
    request.noteUnused(rules, spec.commandLine().getErr());
    return 0;
  }

  private Decision decide(RuleSet rules, LimitStore store, Attributes attributes, long permits) {
    try {
      return RateLimiter.forClaims(store).decide(rules.claims(attributes, permits));
    } catch (IllegalArgumentException badCost) {
      throw new ParameterException(spec.commandLine(), badCost.getMessage(), badCost);
    }
  }

  private void answer(Decision decision) {
    PrintWriter out = spec.commandLine().getOut();
    if (request.json()) {
      out.println(DecisionText.json(decision));
      return;
    }
    out.println(text.verdict(decision));
    decision
        .outcomes()
        .forEach(
            outcome ->
                out.println(
                    "  "
                        + outcome.policy().rule()
                        + "/"
                        + outcome.policy().name()
                        + "  "
                        + text.state(outcome)));
  }
}
