package dev.weir.redis.internal.protocol;

import dev.weir.Claim;
import dev.weir.internal.arithmetic.SlidingLogMeter;
import dev.weir.spi.Verdict;
import dev.weir.spi.Verdicts;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;

/**
 * What the script answered to one question; the verdicts are derived from it here, with the same
 * arithmetic the memory store uses.
 */
public final class ScriptReply {
  private static final String EDGE = "EDGE";
  private static final byte[] NO_LOGS = new byte[0];

  private final ScriptRequest request;
  private final boolean serverTime;
  private final long now;
  private final Object answer;
  private final List<byte[]> values;

  /**
   * @param answer the script's, to this question
   * @param values the states after this question, one per claim; none if it failed
   */
  private ScriptReply(
      ScriptRequest request, boolean serverTime, long now, Object answer, List<byte[]> values) {
    this.request = request;
    this.serverTime = serverTime;
    this.now = now;
    this.answer = answer;
    this.values = values;
  }

  /**
   * Takes one question's part out of the script's answer.
   *
   * @param values the states of all questions; those of this one are next, unless it failed
   * @param keyIndexes per claim, which of the call's keys it is about: a state is not repeated for
   *     a claim on the same key as the one before
   */
  public static ScriptReply of(
      ScriptRequest request,
      boolean serverTime,
      long now,
      Object answer,
      Iterator<Object> values,
      int[] keyIndexes) {
    if (isError(answer)) {
      return new ScriptReply(request, serverTime, now, answer, List.of());
    }
    List<byte[]> own = new ArrayList<>(keyIndexes.length);
    for (int i = 0; i < keyIndexes.length; i++) {
      boolean again = i > 0 && keyIndexes[i] == keyIndexes[i - 1];
      own.add(again ? own.get(i - 1) : (byte[]) values.next());
    }
    return new ScriptReply(request, serverTime, now, answer, own);
  }

  /** Texts of errors begin with a letter; other answers with '0' or '1'. */
  private static boolean isError(Object answer) {
    return answer instanceof byte[] bytes && bytes[0] != '0' && bytes[0] != '1';
  }

  /** The store's time of the answer. */
  public long now() {
    return now;
  }

  /** Whether a calendar window of the question does not hold the store's time. */
  public boolean missedEdge() {
    return isError(answer) && text(answer).equals(EDGE);
  }

  public Verdicts verdicts(KeyNames names) {
    if (isError(answer)) {
      throw Failures.of(text(answer), names);
    }
    if (answer instanceof List<?> parts) {
      if (parts.size() == 1) { // decided, but its write was refused
        throw Failures.of(text(parts.get(0)), names);
      }
      return verdicts(parts.get(0), (byte[]) parts.get(1));
    }
    return verdicts(answer, NO_LOGS);
  }

  private Verdicts verdicts(Object code, byte[] logs) {
    Misfits misfits = Misfits.of(code);
    List<Verdict> verdicts = new ArrayList<>(request.claims.size());
    ByteBuffer log = ByteBuffer.wrap(logs).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < request.claims.size(); i++) {
      boolean fits = !misfits.claims.get(i);
      EncodedPolicy policy = request.policies.get(i);
      if (policy.meter instanceof SlidingLogMeter meter) {
        verdicts.add(ofLog(meter, request.claims.get(i), fits, misfits.allowed, log));
      } else {
        verdicts.add(
            new PackedState(values.get(i), serverTime, now)
                .verdict(policy, request.claims.get(i).permits(), fits));
      }
    }
    return new Verdicts(misfits.allowed, verdicts);
  }

  /** Whether the question is allowed, and which of its claims do not fit. */
  private record Misfits(boolean allowed, BitSet claims) {
    private static final Misfits NONE = new Misfits(true, new BitSet(0));

    static Misfits of(Object code) {
      if (!(code instanceof byte[] bytes)) {
        return NONE;
      }
      BitSet claims = new BitSet();
      ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
      boolean allowed = in.get() == '1';
      while (in.hasRemaining()) {
        claims.set(Short.toUnsignedInt(in.getShort()) - 1);
      }
      return new Misfits(allowed, claims);
    }
  }

  /** The script reports a log as it was before this question took from it. */
  private Verdict ofLog(
      SlidingLogMeter meter, Claim claim, boolean fits, boolean allowed, ByteBuffer log) {
    long used = read7(log);
    long newest = read7(log);
    long frees = read7(log);
    long endsAt = read7(log);
    long taken = fits && allowed ? taken(meter, claim, used) : 0;
    if (taken > 0) {
      newest = Math.max(newest, now);
      endsAt = Long.MAX_VALUE;
    }
    return meter.verdict(now, claim.permits(), fits, used + taken, newest, frees, endsAt);
  }

  private long taken(SlidingLogMeter meter, Claim claim, long used) {
    return switch (request.operation) {
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

  private static String text(Object bytes) {
    return new String((byte[]) bytes, StandardCharsets.UTF_8);
  }
}
