package dev.weir.http;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Mode;
import dev.weir.Outcome;
import dev.weir.Source;
import dev.weir.internal.text.JsonWriter;
import dev.weir.internal.text.KebabCase;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * A decision as JSON: one object, on one line, the same wherever a decision is shown.
 *
 * <pre>{@code
 * {"allowed":false,"source":"store","retryAfterMillis":1000,"limits":[{"rule":"login",
 *  "name":"minute","mode":"enforce","allowed":false,"limit":10,"capacity":10,"remaining":0,
 *  "retryAfterMillis":1000,"resetAfterMillis":60000}]}
 * }</pre>
 *
 * <p>An answer that was given before, to the same request id, has {@code "repeated":true}.
 * Milliseconds are rounded up. {@code retryAfterMillis} is 0 for what is allowed and null for what
 * can never pass; for requests in flight it is the longest that they can be held without being
 * renewed. What a failure policy answered without a count has null as {@code remaining} and {@code
 * resetAfterMillis}, and 1000 as {@code retryAfterMillis} if it was denied. A key that is blocked
 * has 0 of everything. A limit with a warn-at has {@code "warning"}: whether it is reached, and
 * {@code "firstWarning":true} in the one answer that reached it. A limit of which one request can
 * take only a share has {@code "atMost"}: how many permits that is.
 */
public final class DecisionJson {
  /** The same as in {@code Retry-After}. */
  private static final long UNKNOWN_WAIT_MILLIS = 1000;

  private static final Map<Source, String> SOURCES = inKebabCase(Source.class);
  private static final Map<Mode, String> MODES = inKebabCase(Mode.class);

  private DecisionJson() {}

  private static <E extends Enum<E>> Map<E, String> inKebabCase(Class<E> type) {
    Map<E, String> words = new EnumMap<>(type);
    for (E constant : type.getEnumConstants()) {
      words.put(constant, KebabCase.of(constant));
    }
    return words;
  }

  /** Appends the object. */
  public static void write(Decision decision, StringBuilder out) {
    JsonWriter json = new JsonWriter(out).beginObject();
    writeMembers(decision, json);
    json.endObject();
  }

  /**
   * Appends the object with {@code "at"} in front: milliseconds since 1970, with a fraction if
   * there is one.
   */
  public static void writeAt(long atMicros, Decision decision, StringBuilder out) {
    BigDecimal atMillis = BigDecimal.valueOf(atMicros, 3).stripTrailingZeros();
    JsonWriter json = new JsonWriter(out).beginObject().rawMember("at", atMillis.toPlainString());
    writeMembers(decision, json);
    json.endObject();
  }

  /**
   * Appends the object with the members of its {@link Problem} in front: the body of a denial, of
   * type {@link Problem#MEDIA_TYPE}.
   *
   * @throws IllegalArgumentException if the decision is not a denial
   */
  public static void writeDenial(Decision decision, StringBuilder out) {
    writeDenial(decision, Problem.of(decision), out);
  }

  /**
   * As {@link #writeDenial(Decision, StringBuilder)}, for an answer with another status than the
   * problem's own: the body must name the same.
   */
  public static void writeDenial(Decision decision, int status, StringBuilder out) {
    writeDenial(decision, Problem.of(decision).withStatus(status), out);
  }

  private static void writeDenial(Decision decision, Problem problem, StringBuilder out) {
    JsonWriter json = new JsonWriter(out).beginObject();
    problem.writeMembers(json);
    tooMuch(decision).ifPresent(detail -> json.member("detail", detail));
    writeMembers(decision, json);
    json.endObject();
  }

  /** Why a denial of a request that asks for too much will not pass later. */
  private static Optional<String> tooMuch(Decision decision) {
    return decision.denying().stream()
        .filter(outcome -> outcome.claim().asksTooMuch())
        .findFirst()
        .map(
            outcome ->
                "one request can take at most "
                    + outcome.policy().mostPerRequest()
                    + " permits of "
                    + outcome.policy().name()
                    + ", was "
                    + outcome.claim().permits());
  }

  private static void writeMembers(Decision decision, JsonWriter out) {
    out.member("allowed", decision.allowed());
    out.member("source", SOURCES.get(decision.source()));
    out.rawMember("retryAfterMillis", decision.allowed() ? "0" : wait(decision.retryAfter()));
    if (decision.repeated()) {
      out.member("repeated", true);
    }
    out.beginArray("limits");
    for (Outcome outcome : decision.outcomes()) {
      writeLimit(outcome, out);
    }
    out.endArray();
  }

  private static void writeLimit(Outcome outcome, JsonWriter out) {
    boolean blocked = outcome.claim().isBlocked();
    boolean known = OutcomeSelection.known(outcome);
    out.beginObject()
        .member("rule", outcome.policy().rule())
        .member("name", outcome.policy().name())
        .member("mode", MODES.get(outcome.policy().mode()))
        .member("allowed", outcome.allowed())
        .member("limit", blocked ? 0 : outcome.policy().limit().permits())
        .member("capacity", blocked ? 0 : outcome.policy().limit().capacity())
        .rawMember("remaining", orNull(known, OutcomeSelection.remaining(outcome)))
        .rawMember("retryAfterMillis", outcome.allowed() ? "0" : wait(outcome.retryAfter()))
        .rawMember("resetAfterMillis", orNull(known, millis(outcome.resetAfter())));
    if (hasWarning(outcome)) {
      out.member("warning", outcome.warning());
      if (outcome.firstWarning()) {
        out.member("firstWarning", true);
      }
    }
    if (outcome.policy().reserveAtMostPercent().isPresent()) {
      out.member("atMost", outcome.policy().mostPerRequest());
    }
    out.endObject();
  }

  private static boolean hasWarning(Outcome outcome) {
    return outcome.policy().limit() instanceof Limit.FixedWindow window
        && window.warnAtPercent().isPresent();
  }

  private static String orNull(boolean known, long value) {
    return known ? Long.toString(value) : "null";
  }

  /** Of what is denied. Without a count nobody knows the wait; zero would read as "at once". */
  private static String wait(Duration retryAfter) {
    if (retryAfter.equals(Decision.NEVER)) {
      return "null";
    }
    return Long.toString(retryAfter.isZero() ? UNKNOWN_WAIT_MILLIS : millis(retryAfter));
  }

  private static long millis(Duration duration) {
    return duration.getSeconds() * 1000 + (duration.getNano() + 999_999) / 1_000_000;
  }
}
