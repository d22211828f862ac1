package dev.weir.redis.internal.protocol;

import dev.weir.Claim;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** One question in the form that goes to the script. Immutable. */
public final class ScriptRequest {
  final OperationCode operation;
  final List<Claim> claims;
  final List<EncodedPolicy> policies;
  public final List<String> keyNames;

  private final OptionalLong grantedAt;

  /**
   * The estimated time of the store, which selects the calendar windows that the question names.
   */
  private final long estimatedMicros;

  private ScriptRequest(
      OperationCode operation,
      List<Claim> claims,
      List<EncodedPolicy> policies,
      List<String> keyNames,
      OptionalLong grantedAt,
      long estimatedMicros) {
    this.operation = operation;
    this.claims = claims;
    this.policies = policies;
    this.keyNames = keyNames;
    this.grantedAt = grantedAt;
    this.estimatedMicros = estimatedMicros;
  }

  public static ScriptRequest of(
      OperationCode operation,
      List<Claim> claims,
      OptionalLong grantedAt,
      long estimatedMicros,
      EncodedPolicyCache policies,
      KeyNames names) {
    List<EncodedPolicy> bound = new ArrayList<>(claims.size());
    List<String> keys = new ArrayList<>(claims.size());
    for (Claim claim : claims) {
      EncodedPolicy policy = policies.encode(claim.policy());
      bound.add(policy);
      keys.add(names.of(claim, policy.meter.keepsLog()));
    }
    return new ScriptRequest(operation, claims, bound, keys, grantedAt, estimatedMicros);
  }

  /** Whether a claim is on a sliding log. */
  public boolean usesLog() {
    for (EncodedPolicy policy : policies) {
      if (policy.meter.keepsLog()) {
        return true;
      }
    }
    return false;
  }

  /** Whether it is a single claim that is not on a log, which has a quicker script. */
  public boolean isOneClaim() {
    return claims.size() == 1 && !usesLog();
  }

  /** The same question with another time of the store, after the estimate was wrong. */
  public ScriptRequest at(long micros) {
    return new ScriptRequest(operation, claims, policies, keyNames, grantedAt, micros);
  }

  /**
   * The question as the script reads it.
   *
   * @param questions how many equal ones are merged into it: 1 unless it acquires
   */
  public byte[] encode(int[] keyIndexes, int questions) {
    ByteBuffer out = ByteBuffer.allocate(9 + claims.size() * EncodedPolicy.CLAIM_BYTES);
    out.order(ByteOrder.LITTLE_ENDIAN).put(operation.code());
    out.putDouble(questions > 1 ? questions : grantedAt.orElse(0));
    for (int i = 0; i < claims.size(); i++) {
      policies
          .get(i)
          .write(out, keyIndexes[i], operation, claims.get(i).permits(), estimatedMicros);
    }
    return out.array();
  }
}
