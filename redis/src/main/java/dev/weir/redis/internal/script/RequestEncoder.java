package dev.weir.redis.internal.script;

import dev.weir.TimeSource;
import dev.weir.redis.internal.protocol.EncodedPolicyCache;
import dev.weir.redis.internal.protocol.KeyNames;
import dev.weir.redis.internal.protocol.ScriptRequest;

/** Makes requests for the script from what callers ask. Safe for many threads. */
final class RequestEncoder {
  private final EncodedPolicyCache policies;
  private final KeyNames names;
  private final TimeSource estimatedTime;

  /**
   * @param estimatedTime of the store, which selects calendar windows
   */
  RequestEncoder(EncodedPolicyCache policies, KeyNames names, TimeSource estimatedTime) {
    this.policies = policies;
    this.names = names;
    this.estimatedTime = estimatedTime;
  }

  ScriptRequest request(AskedQuestion asked) {
    return ScriptRequest.of(
        asked.operation(),
        asked.claims(),
        asked.head(),
        estimatedTime.nowMicros(),
        policies,
        names);
  }
}
