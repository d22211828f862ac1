package dev.weir.cli.ruletest;

import dev.weir.Decision;
import dev.weir.Outcome;
import dev.weir.cli.console.HumanFormat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a test says about an answer; what it does not mention is not compared.
 *
 * @param by the limits that must be among those that deny; empty if any may
 * @param remaining the least of all limits
 * @param remainingOf by limit
 */
record ExpectedAnswer(
    @Nullable Boolean allowed,
    List<String> by,
    @Nullable Long remaining,
    Map<String, Long> remainingOf,
    @Nullable Duration retryAfter) {

  /** The answer in a word. */
  String answer() {
    return allowed == null ? "an answer" : answer(allowed);
  }

  /** One aspect of an answer, as it was expected and as it was. */
  record Difference(String aspect, String expected, String got) {}

  /**
   * Where the answer differs; empty if it is as expected.
   *
   * @param last whether it is the last of several equal requests, whose numbers are meant
   */
  List<Difference> differences(Decision decision, boolean last) {
    List<Difference> found = new ArrayList<>();
    if (allowed != null && allowed != decision.allowed()) {
      found.add(new Difference("answer", answer(allowed), answer(decision.allowed())));
    }
    if (!by.stream().allMatch(limit -> denies(decision, limit))) {
      found.add(new Difference("by", String.join(", ", by), denying(decision)));
    }
    if (last) {
      addNumbers(decision, found);
    }
    return found;
  }

  private void addNumbers(Decision decision, List<Difference> found) {
    if (remaining != null && remaining != decision.remaining()) {
      String got = decision.outcomes().isEmpty() ? "no limit" : "" + decision.remaining();
      found.add(new Difference("remaining", remaining.toString(), got));
    }
    remainingOf.forEach(
        (limit, number) -> {
          Optional<Outcome> outcome = outcome(decision, limit);
          if (outcome.isEmpty() || outcome.get().remaining() != number) {
            String got = outcome.map(each -> "" + each.remaining()).orElse("did not apply");
            found.add(new Difference("remaining of " + limit, number.toString(), got));
          }
        });
    if (retryAfter != null && !asClientsSeeIt(retryAfter, decision.retryAfter())) {
      found.add(new Difference("retry-after", text(retryAfter), text(decision.retryAfter())));
    }
  }

  /** In whole seconds as the field Retry-After has it, else in milliseconds as JSON has it. */
  private static boolean asClientsSeeIt(Duration expected, Duration wait) {
    if (expected.equals(wait) || expected.equals(Decision.NEVER) || wait.equals(Decision.NEVER)) {
      return expected.equals(wait);
    }
    long unitNanos = expected.getNano() == 0 ? 1_000_000_000 : 1_000_000;
    long wholeUnits = (wait.toNanos() + unitNanos - 1) / unitNanos;
    return expected.equals(Duration.ofNanos(wholeUnits * unitNanos));
  }

  private static boolean denies(Decision decision, String limit) {
    return decision.denying().stream().anyMatch(outcome -> isNamed(outcome, limit));
  }

  private static String denying(Decision decision) {
    String names =
        decision.denying().stream()
            .map(outcome -> outcome.policy().rule() + "/" + outcome.policy().name())
            .collect(Collectors.joining(", "));
    return names.isEmpty() ? "none" : names;
  }

  private static Optional<Outcome> outcome(Decision decision, String limit) {
    return decision.outcomes().stream().filter(each -> isNamed(each, limit)).findFirst();
  }

  /** By the name of the limit, or with the rule in front: {@code login/address}. */
  private static boolean isNamed(Outcome outcome, String limit) {
    String name = outcome.policy().name();
    return name.equals(limit) || limit.equals(outcome.policy().rule() + "/" + name);
  }

  private static String text(Duration wait) {
    return wait.equals(Decision.NEVER) ? "never" : HumanFormat.wait(wait);
  }

  private static String answer(boolean allowed) {
    return allowed ? "allowed" : "denied";
  }
}
