package dev.weir.internal;

import dev.weir.Claim;
import dev.weir.Policy;
import dev.weir.spi.Operation;
import java.util.List;
import java.util.UUID;

/**
 * The names under which stores remember answers: of decisions with a request id, and of
 * settlements. A question with the name of a remembered answer gets that answer and changes
 * nothing.
 */
public final class QuestionName {
  private QuestionName() {}

  /** The name of a decision with a request id. It changes with the limits of the claims. */
  public static String ofDecision(Operation operation, List<Claim> claims, String requestId) {
    StringBuilder name = new StringBuilder(operation.name());
    part(name, requestId);
    for (Claim claim : claims) {
      state(name, claim);
      Policy policy = claim.policy();
      name.append(claim.permits()).append(policy.limit()).append(policy.mode());
    }
    return name.toString();
  }

  /**
   * The name of the settlement of a decision.
   *
   * @param claims those settled in one step: of a Redis Cluster, the claims in one hash slot
   */
  public static String ofSettlement(UUID holder, List<Claim> claims) {
    StringBuilder name = new StringBuilder("SETTLE").append(holder);
    claims.forEach(claim -> state(name, claim));
    return name.toString();
  }

  private static void state(StringBuilder name, Claim claim) {
    part(name, claim.policy().rule());
    part(name, claim.policy().name());
    part(name, claim.key());
  }

  /** Appends the text after its length, so that different lists of texts have different names. */
  private static void part(StringBuilder name, String text) {
    name.append(text.length()).append(':').append(text);
  }
}
