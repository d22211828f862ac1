package dev.weir.cli.ruletest;

import dev.weir.Decision;
import dev.weir.cli.rules.ExplanationText;
import dev.weir.cli.ruletest.ExpectedAnswer.Difference;
import dev.weir.cli.ruletest.TestResult.FailedStep;
import dev.weir.cli.simulate.input.LoggedRequest;
import dev.weir.cli.simulate.input.MalformedLineException;
import dev.weir.cli.simulate.replay.ReplayTarget;
import dev.weir.cli.time.VirtualTime;
import dev.weir.redis.StoreAddress;
import dev.weir.rules.Explanation;
import dev.weir.rules.Explanation.RuleView;
import dev.weir.rules.RuleSet;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs tests, each over an empty store and a clock that starts when the test says. */
final class RuleTestRunner {
  private static final int MAX_RULES = 20;

  private final RuleSet rules;
  private final StoreAddress address;
  private final ExplanationText text;

  RuleTestRunner(RuleSet rules, StoreAddress address, ExplanationText text) {
    this.rules = rules;
    this.address = address;
    this.text = text;
  }

  TestResult run(RuleTest test) {
    VirtualTime clock = new VirtualTime();
    clock.moveTo(test.startMicros());
    long requests = 0;
    List<FailedStep> failures = new ArrayList<>();
    try (ReplayTarget target = ReplayTarget.open(rules, address, clock)) {
      for (TestStep step : test.steps()) {
        FailedStep failed = run(step, test.startMicros(), clock, target);
        requests += step.times();
        if (failed != null) {
          failures.add(failed);
        }
      }
    }
    return new TestResult(test, requests, List.copyOf(failures));
  }

  /**
   * Makes all requests of a step, even after a failed one, because later steps depend on the state
   * they leave.
   */
  private @Nullable FailedStep run(
      TestStep step, long startMicros, VirtualTime clock, ReplayTarget target) {
    FailedStep first = null;
    for (int i = 0; i < step.times(); i++) {
      LoggedRequest request = step.request(startMicros, i);
      clock.moveTo(request.atMicros());
      FailedStep failed = run(step, i, request, target);
      first = first == null ? failed : first;
    }
    return first;
  }

  private @Nullable FailedStep run(
      TestStep step, int index, LoggedRequest request, ReplayTarget target) {
    Decision decision;
    try {
      decision = target.decide(request);
    } catch (MalformedLineException refused) {
      Difference difference = new Difference("answer", step.expected().answer(), "an error");
      return new FailedStep(
          step, index, List.of(difference), List.of(String.valueOf(refused.getMessage())));
    }
    List<Difference> differences = step.expected().differences(decision, index == step.times() - 1);
    return differences.isEmpty()
        ? null
        : new FailedStep(step, index, differences, text.lines(explanation(request), decision));
  }

  /** Of many rules, those that match. */
  private Explanation explanation(LoggedRequest request) {
    Explanation whole = rules.explain(request.attributes());
    return whole.rules().size() <= MAX_RULES
        ? whole
        : new Explanation(whole.rules().stream().filter(RuleView::matched).toList());
  }
}
