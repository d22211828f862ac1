package dev.weir.redis.internal.protocol;

import dev.weir.Claim;
import dev.weir.internal.arithmetic.SlidingLogMeter;
import dev.weir.internal.arithmetic.State;
import dev.weir.spi.Verdict;
import dev.weir.spi.Verdicts;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * What the script answered to one question; the verdicts are derived from it here, with the same
 * arithmetic the memory store uses.
 */
public final class ScriptReply {
  private static final String EDGE = "EDGE";

  private final ScriptRequest call;
  private final boolean serverTime;
  private final long now;
  private final Object answer;
  private final List<Object> values;
  private final int[] keyIndexes;

  /**
   * @param answer the script's, to this question
   * @param values the states of all keys of the call
   * @param keyIndexes per claim, the place of its key among them, from 1
   */
  public ScriptReply(
      ScriptRequest call,
      boolean serverTime,
      long now,
      Object answer,
      List<Object> values,
      int[] keyIndexes) {
    this.call = call;
    this.serverTime = serverTime;
    this.now = now;
    this.answer = answer;
    this.values = values;
    this.keyIndexes = keyIndexes;
  }

  /** The store's time of the answer. */
  public long now() {
    return now;
  }

  /** Whether a calendar window of the question does not hold the store's time. */
  public boolean missedEdge() {
    return answer instanceof byte[] error && text(error).equals(EDGE);
  }

  public Verdicts verdicts(KeyNames names) {
    if (answer instanceof byte[] error) {
      throw Failures.of(text(error), names);
    }
    if (answer instanceof List<?> withLogs) {
      return verdicts((Long) withLogs.get(0), (byte[]) withLogs.get(1));
    }
    return verdicts((Long) answer, new byte[0]);
  }

  private Verdicts verdicts(long code, byte[] logs) {
    boolean allowed = (code & 1) != 0;
    List<Verdict> verdicts = new ArrayList<>(call.claims.size());
    ByteBuffer log = ByteBuffer.wrap(logs).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < call.claims.size(); i++) {
      boolean fits = (code >> i + 1 & 1) == 0;
      EncodedPolicy policy = call.policies.get(i);
      if (policy.meter instanceof SlidingLogMeter meter) {
        verdicts.add(ofLog(meter, call.claims.get(i), fits, allowed, log));
      } else {
        verdicts.add(ofRecord(i, policy, fits));
      }
    }
    return new Verdicts(allowed, verdicts);
  }

  private Verdict ofRecord(int claim, EncodedPolicy policy, boolean fits) {
    byte[] value = (byte[]) values.get(keyIndexes[claim] - 1);
    State state = new PackedState(value).find(policy, now);
    if (serverTime) {
      policy.meter.bringBack(state, now);
    }
    return policy.meter.verdict(state, now, call.claims.get(claim).permits(), fits);
  }

  /** The script tells of a log as it was before this question took from it. */
  private Verdict ofLog(
      SlidingLogMeter meter, Claim claim, boolean fits, boolean allowed, ByteBuffer log) {
    long used = read7(log);
    long newest = read7(log);
    long frees = read7(log);
    long taken = fits && allowed ? taken(meter, claim, used) : 0;
    if (taken > 0) {
      newest = Math.max(newest, now);
    }
    return meter.verdict(now, claim.permits(), fits, used + taken, newest, frees);
  }

  private long taken(SlidingLogMeter meter, Claim claim, long used) {
    return switch (call.operation) {
      case ACQUIRE -> claim.permits();
      case CHARGE -> meter.charged(claim.permits(), used);
      case PEEK, REFUND, REFUND_UNDATED -> 0;
    };
  }

  private static long read7(ByteBuffer in) {
    long value = 0;
    for (int shift = 0; shift < 56; shift += 8) {
      value |= (in.get() & 0xffL) << shift;
    }
    return value;
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
