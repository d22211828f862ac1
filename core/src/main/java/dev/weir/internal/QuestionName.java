package dev.weir.internal;

import dev.weir.Claim;
import dev.weir.Policy;
import dev.weir.spi.Operation;
import java.util.List;
import java.util.UUID;

/** Names questions whose answers stores repeat: equal names get the same answer. */
public final class QuestionName {
  private QuestionName() {}

  /** Of a decision with a request id. After a change of its limits it has another name. */
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

  /** Of the settlement of a decision, or of the part of one that a server keeps. */
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

  /** With its length in front, so that no two lists of texts have one name. */
  private static void part(StringBuilder name, String text) {
    name.append(text.length()).append(':').append(text);
  }
}
