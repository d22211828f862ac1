package dev.weir.rules.json;

import dev.weir.Decision;
import dev.weir.Outcome;
import dev.weir.rules.Explanation;
import dev.weir.rules.Explanation.LimitView;
import dev.weir.rules.Explanation.RuleView;
import dev.weir.rules.RuleSet;
import dev.weir.rules.internal.read.Word;
import java.time.Duration;

/**
 * Answers as JSON: the one place that knows the names of the members.
 *
 * <p>A key that is blocked has a limit, a capacity and a remaining of 0, and never passes.
 */
public final class DecisionJson {
  private DecisionJson() {}

  /** One object on one line. */
  public static String of(Decision decision) {
    JsonWriter out = new JsonWriter().beginObject();
    members(out, decision);
    return out.endObject().toString();
  }

  /** A decision and, as {@code rules}, how it came to be asked that way. */
  public static String of(Decision decision, Explanation explanation) {
    JsonWriter out = new JsonWriter().beginObject();
    members(out, decision);
    out.beginArray("rules");
    explanation.rules().forEach(rule -> write(out, rule));
    return out.endArray().endObject().toString();
  }

  /** The members alone, for an object that has more. */
  public static void members(JsonWriter out, Decision decision) {
    out.member("allowed", decision.allowed());
    out.member("source", Word.of(decision.source()));
    wait(out, decision.outcomes().stream().anyMatch(DecisionJson::blocks), decision.retryAfter());
    out.beginArray("limits");
    decision.outcomes().forEach(outcome -> write(out, outcome));
    out.endArray();
  }

  private static void write(JsonWriter out, Outcome outcome) {
    boolean blocked = RuleSet.isBlocked(outcome.claim());
    out.beginObject()
        .member("rule", outcome.policy().rule())
        .member("name", outcome.policy().name())
        .member("mode", Word.of(outcome.policy().mode()))
        .member("allowed", outcome.allowed())
        .member("limit", blocked ? 0 : outcome.policy().limit().permits())
        .member("capacity", blocked ? 0 : outcome.policy().limit().capacity())
        .member("remaining", blocked ? 0 : outcome.remaining());
    wait(out, blocked, outcome.retryAfter());
    out.millis("resetAfterMillis", blocked ? Duration.ZERO : outcome.resetAfter()).endObject();
  }

  private static boolean blocks(Outcome outcome) {
    return RuleSet.isBlocked(outcome.claim()) && outcome.policy().enforced();
  }

  private static void wait(JsonWriter out, boolean blocked, Duration retryAfter) {
    if (blocked || retryAfter.equals(Decision.NEVER)) {
      out.nullMember("retryAfterMillis");
    } else {
      out.millis("retryAfterMillis", retryAfter);
    }
  }

  private static void write(JsonWriter out, RuleView rule) {
    out.beginObject()
        .member("rule", rule.rule())
        .member("matched", rule.matched())
        .member("reason", rule.reason())
        .beginArray("limits");
    for (LimitView limit : rule.limits()) {
      out.beginObject()
          .member("name", limit.name())
          .member("applies", limit.applies())
          .member("reason", limit.reason())
          .member("key", limit.key())
          .endObject();
    }
    out.endArray().endObject();
  }
}
