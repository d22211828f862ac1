package dev.weir.http;

import dev.weir.Decision;
import dev.weir.Outcome;
import dev.weir.Source;
import dev.weir.internal.text.JsonWriter;
import java.util.List;

/**
 * Why a request was denied, as a problem of RFC 9457. Immutable.
 *
 * @param status 429, or 503 if it was denied only because the store failed
 * @param type what identifies the kind of problem: a URI
 * @param title the kind of problem in words
 * @param violatedPolicies the names of the denying policies, each once
 */
public record Problem(int status, String type, String title, List<String> violatedPolicies) {
  /** The content type of a body that holds these members. */
  public static final String MEDIA_TYPE = "application/problem+json";

  private static final String TYPES = "https://iana.org/assignments/http-problem-types#";

  public Problem {
    violatedPolicies = List.copyOf(violatedPolicies);
  }

  /**
   * The problem of a denied decision. If some limits are used up and the state of others is not
   * known, those that are used up are the problem; if a penalty blocks the key, that is.
   *
   * @throws IllegalArgumentException if the decision is not a denial
   */
  public static Problem of(Decision decision) {
    if (decision.allowed()) {
      throw new IllegalArgumentException("decision must be a denial, was " + decision);
    }
    List<Outcome> denying = OutcomeSelection.denying(decision);
    List<Outcome> exceeded = denying.stream().filter(OutcomeSelection::known).toList();
    if (exceeded.isEmpty() && !denying.isEmpty()) {
      return reducedCapacity(names(denying));
    }
    List<Outcome> penalties =
        exceeded.stream().filter(outcome -> outcome.source() == Source.PENALTY).toList();
    return penalties.isEmpty()
        ? new Problem(429, TYPES + "quota-exceeded", "Quota Exceeded", names(exceeded))
        : new Problem(
            429, TYPES + "abnormal-usage-detected", "Abnormal Usage Detected", names(penalties));
  }

  static Problem reducedCapacity(List<String> policies) {
    return new Problem(
        503, TYPES + "temporary-reduced-capacity", "Temporary Reduced Capacity", policies);
  }

  /** The same problem in an answer that has another status, for clients that know no 429. */
  Problem withStatus(int answered) {
    return new Problem(answered, type, title, violatedPolicies);
  }

  /** An object with the members {@code type, title, status, violated-policies}, on one line. */
  public String toJson() {
    StringBuilder out = new StringBuilder(256);
    JsonWriter json = new JsonWriter(out).beginObject();
    writeMembers(json);
    json.endObject();
    return out.toString();
  }

  void writeMembers(JsonWriter out) {
    out.member("type", type)
        .member("title", title)
        .member("status", status)
        .member("violated-policies", violatedPolicies);
  }

  private static List<String> names(List<Outcome> outcomes) {
    return outcomes.stream().map(outcome -> outcome.policy().name()).distinct().toList();
  }
}
