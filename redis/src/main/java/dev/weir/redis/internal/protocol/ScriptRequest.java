package dev.weir.redis.internal.protocol;

import dev.weir.Claim;
import dev.weir.internal.arithmetic.Meter.Form;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** One question in the form that is sent to the script. Immutable. */
public final class ScriptRequest {
  final OperationCode operation;
  final List<Claim> claims;
  final List<EncodedPolicy> policies;
  public final List<String> keyNames;

  private final QuestionHead head;

  /**
   * Whether it has neither a holder nor claims on logs or slots, so that a faster script can answer
   * it.
   */
  private final boolean isPlain;

  private final KeyNames names;

  /**
   * The estimated time of the store, which selects the calendar windows that the question names.
   */
  private final long estimatedMicros;

  private ScriptRequest(
      OperationCode operation,
      List<Claim> claims,
      List<EncodedPolicy> policies,
      List<String> keyNames,
      QuestionHead head,
      KeyNames names,
      long estimatedMicros) {
    this.operation = operation;
    this.claims = claims;
    this.policies = policies;
    this.keyNames = keyNames;
    this.head = head;
    this.isPlain = head.holder().isEmpty() && hasOnlyNumbers(policies);
    this.names = names;
    this.estimatedMicros = estimatedMicros;
  }

  public static ScriptRequest of(
      OperationCode operation,
      List<Claim> claims,
      QuestionHead head,
      long estimatedMicros,
      EncodedPolicyCache policies,
      KeyNames names) {
    List<EncodedPolicy> bound = new ArrayList<>(claims.size());
    List<String> keys = new ArrayList<>(claims.size());
    for (Claim claim : claims) {
      EncodedPolicy policy = policies.encode(claim.policy());
      bound.add(policy);
      keys.add(names.of(claim, policy.meter.form()));
    }
    return new ScriptRequest(operation, claims, bound, keys, head, names, estimatedMicros);
  }

  private static boolean hasOnlyNumbers(List<EncodedPolicy> policies) {
    for (EncodedPolicy policy : policies) {
      if (policy.meter.form() != Form.NUMBERS) {
        return false;
      }
    }
    return true;
  }

  /** The key of the remembered answer. */
  public Optional<String> answerKey() {
    return head.answer().map(answer -> names.ofAnswer(claims.get(0), answer.name()));
  }

  /** The holder of the slots that this question takes. */
  Optional<UUID> holder() {
    return head.holder();
  }

  /** The operation for one claim: a settlement charges some claims and refunds the others. */
  OperationCode operation(int claim) {
    return head.charged().get(claim) ? OperationCode.CHARGE : operation;
  }

  /** Whether it is a single plain claim, for which there is a faster script. */
  public boolean isSingleClaim() {
    return claims.size() == 1 && isPlain;
  }

  /**
   * Whether all its claims are plain and about one key, for which there is a faster script, too.
   */
  public boolean isAboutOneKey() {
    String first = keyNames.get(0);
    for (int i = 1; i < keyNames.size(); i++) {
      if (!keyNames.get(i).equals(first)) {
        return false;
      }
    }
    return isPlain;
  }

  /** Whether it only takes or releases slots, for which there is one as well. */
  public boolean isSingleClaimOnSlots() {
    return claims.size() == 1
        && policies.get(0).meter.form() == Form.SLOTS
        && head.holder().isPresent()
        && head.answer().isEmpty();
  }

  /** The same question with another time of the store, after the estimate was wrong. */
  public ScriptRequest at(long micros) {
    return new ScriptRequest(operation, claims, policies, keyNames, head, names, micros);
  }

  /**
   * The question as the script reads it.
   *
   * @param answerIndex the index of the key of its remembered answer, if it has one
   * @param questions how many equal questions are merged into it: 1 unless it acquires
   */
  public byte[] encode(int[] keyIndexes, int answerIndex, int questions) {
    ByteBuffer out =
        ByteBuffer.allocate(9 + head.bytes() + claims.size() * EncodedPolicy.CLAIM_BYTES);
    out.order(ByteOrder.LITTLE_ENDIAN);
    head.write(out, operation, questions, answerIndex);
    for (int i = 0; i < claims.size(); i++) {
      boolean charged = head.charged().get(i);
      long permits = claims.get(i).permits();
      policies.get(i).write(out, keyIndexes[i], operation(i), charged, permits, estimatedMicros);
    }
    return out.array();
  }
}
