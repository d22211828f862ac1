package dev.weir.redis.internal.script;

import dev.weir.TimeSource;
import dev.weir.redis.internal.protocol.EncodedPolicyCache;
import dev.weir.redis.internal.protocol.KeyNames;
import dev.weir.redis.internal.protocol.ScriptRequest;

/** Encodes callers' questions as requests for the script. Safe for many threads. */
final class RequestEncoder {
  private final EncodedPolicyCache policies;
  private final KeyNames names;
  private final TimeSource estimatedTime;

  /**
   * @param estimatedTime an estimate of the store's time, which selects calendar windows
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
