package dev.weir.redis;

import dev.weir.Claim;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** One call of the script for one question: its keys and arguments. */
final class Call {
  final OperationCode operation;
  final List<Claim> claims;
  final List<BoundPolicy> policies = new ArrayList<>();

  /** Per claim, the place of its key in the call, from 1. */
  final int[] keyIndexes;

  private final List<String> names = new ArrayList<>();
  private final OptionalLong grantedAt;

  Call(OperationCode operation, List<Claim> claims, OptionalLong grantedAt) {
    this.operation = operation;
    this.claims = claims;
    this.grantedAt = grantedAt;
    this.keyIndexes = new int[claims.size()];
  }

  /** Adds the next claim; claims of one key share its name. */
  void add(BoundPolicy policy, String keyName) {
    int known = names.lastIndexOf(keyName);
    if (known < 0) {
      names.add(keyName);
      known = names.size() - 1;
    }
    keyIndexes[policies.size()] = known + 1;
    policies.add(policy);
  }

  int keyCount() {
    return names.size();
  }

  byte[][] keys() {
    return names.stream()
        .map(name -> name.getBytes(StandardCharsets.US_ASCII))
        .toArray(byte[][]::new);
  }

  boolean hasCalendarWindow() {
    return policies.stream().anyMatch(BoundPolicy::isCalendar);
  }

  /** The question as the script reads it. */
  byte[] question(long nowMicros) {
    ByteBuffer out = ByteBuffer.allocate(9 + claims.size() * BoundPolicy.CLAIM_BYTES);
    out.order(ByteOrder.LITTLE_ENDIAN).put(operation.code()).putDouble(grantedAt.orElse(0));
    for (int i = 0; i < policies.size(); i++) {
      policies.get(i).write(out, keyIndexes[i], operation, claims.get(i).permits(), nowMicros);
    }
    return out.array();
  }
}
