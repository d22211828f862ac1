package dev.weir.http;

import dev.weir.Decision;
import dev.weir.Outcome;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * A decision as JSON: one object, on one line, the same wherever a decision is shown.
 *
 * <pre>{@code
 * {"allowed":false,"source":"store","retryAfterMillis":1000,"limits":[{"rule":"login",
 *  "name":"minute","mode":"enforce","allowed":false,"limit":10,"capacity":10,"remaining":0,
 *  "retryAfterMillis":1000,"resetAfterMillis":60000}]}
 * }</pre>
 *
 * <p>Milliseconds are rounded up. {@code retryAfterMillis} is 0 for what is allowed and null for
 * what can never pass. {@code remaining} and {@code resetAfterMillis} are null for what a failure
 * policy answered without a count. A key that is blocked has 0 of everything.
 */
public final class DecisionJson {
  private DecisionJson() {}

  /** Appends the object. */
  public static void write(Decision decision, StringBuilder out) {
    out.append('{');
    writeMembers(decision, out);
    out.append('}');
  }

  /**
   * Appends the object with {@code "at"} in front: milliseconds since 1970, with a fraction if
   * there is one.
   */
  public static void writeAt(long atMicros, Decision decision, StringBuilder out) {
    BigDecimal atMillis = BigDecimal.valueOf(atMicros, 3).stripTrailingZeros();
    out.append("{\"at\":").append(atMillis.toPlainString()).append(',');
    writeMembers(decision, out);
    out.append('}');
  }

  /**
   * Appends the object with the members of its {@link Problem} in front: the body of a denial, of
   * type {@link Problem#MEDIA_TYPE}.
   *
   * @throws IllegalArgumentException if the decision is not a denial
   */
  public static void writeDenial(Decision decision, StringBuilder out) {
    Problem problem = Problem.of(decision);
    out.append('{');
    problem.writeMembers(out);
    out.append(',');
    writeMembers(decision, out);
    out.append('}');
  }

  private static void writeMembers(Decision decision, StringBuilder out) {
    out.append("\"allowed\":").append(decision.allowed());
    out.append(",\"source\":\"").append(word(decision.source()));
    out.append("\",\"retryAfterMillis\":").append(wait(decision.allowed(), decision.retryAfter()));
    out.append(",\"limits\":[");
    List<Outcome> outcomes = decision.outcomes();
    for (int i = 0; i < outcomes.size(); i++) {
      if (i > 0) {
        out.append(',');
      }
      writeLimit(outcomes.get(i), out);
    }
    out.append(']');
  }

  private static void writeLimit(Outcome outcome, StringBuilder out) {
    out.append("{\"rule\":");
    JsonText.string(outcome.policy().rule(), out);
    out.append(",\"name\":");
    JsonText.string(outcome.policy().name(), out);
    out.append(",\"mode\":\"").append(word(outcome.policy().mode()));
    out.append("\",\"allowed\":").append(outcome.allowed());
    boolean blocked = outcome.claim().isBlocked();
    out.append(",\"limit\":").append(blocked ? 0 : outcome.policy().limit().permits());
    out.append(",\"capacity\":").append(blocked ? 0 : outcome.policy().limit().capacity());
    boolean known = blocked || OutcomeSelection.known(outcome);
    out.append(",\"remaining\":").append(orNull(known, OutcomeSelection.remaining(outcome)));
    out.append(",\"retryAfterMillis\":").append(wait(outcome.allowed(), outcome.retryAfter()));
    out.append(",\"resetAfterMillis\":").append(orNull(known, millis(outcome.resetAfter())));
    out.append('}');
  }

  private static String orNull(boolean known, long value) {
    return known ? Long.toString(value) : "null";
  }

  private static String wait(boolean allowed, Duration retryAfter) {
    if (allowed) {
      return "0";
    }
    return retryAfter.equals(Decision.NEVER) ? "null" : Long.toString(millis(retryAfter));
  }

  private static long millis(Duration duration) {
    return duration.getSeconds() * 1000 + (duration.getNano() + 999_999) / 1_000_000;
  }

  /** As in YAML: {@code DENY_CACHE} is {@code deny-cache}. */
  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
