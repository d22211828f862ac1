package dev.weir.redis.internal.protocol;

import dev.weir.Limit;
import dev.weir.Policy;
import dev.weir.Window;
import dev.weir.internal.Check;
import dev.weir.internal.Micros;
import dev.weir.internal.arithmetic.FixedWindowMeter;
import dev.weir.internal.arithmetic.Meter;
import dev.weir.internal.arithmetic.Meter.Form;
import dev.weir.internal.arithmetic.State;
import dev.weir.internal.arithmetic.TokenBucketMeter;
import dev.weir.internal.arithmetic.TokenBucketMeter.Span;
import dev.weir.internal.arithmetic.WindowEdges.Edges;
import java.nio.ByteBuffer;

/** A policy in the form that the script reads: identity, kind, and the numbers of its claims. */
public final class EncodedPolicy {
  static final int CLAIM_BYTES = 2 + 1 + 4 + 6 * 8;

  private static final int SHADOW = 4;
  private static final int FROM_FIRST_USE = 8;
  private static final int CALENDAR = 16;
  private static final int READS_ONLY = 32;
  private static final int CHARGED = 64;
  private static final int NO_DEBT = 128;

  final Policy policy;
  public final Meter meter;

  /** A hash of the limit's name, 30 bits, times four; the script adds the kind. */
  public final int identity;

  private final int flags;

  EncodedPolicy(Policy policy) {
    this.policy = policy;
    this.meter = Meter.of(policy.limit());
    this.identity = Fnv1a.of(policy.name()) << 2;
    this.flags =
        kind(policy.limit())
            + window(policy.limit())
            + (policy.enforced() ? 0 : SHADOW)
            + (policy.shadow() ? NO_DEBT : 0);
  }

  /** Whether its own records have a warning bit; it may read records of a limit that warns. */
  boolean canWarn() {
    return (flags & 3) == AlgorithmCode.FIXED_WINDOW;
  }

  private static int kind(Limit limit) {
    return switch (limit.algorithm()) {
      case TOKEN_BUCKET -> AlgorithmCode.TOKEN_BUCKET;
      case FIXED_WINDOW -> AlgorithmCode.FIXED_WINDOW;
      case SLIDING_WINDOW -> AlgorithmCode.SLIDING_WINDOW;
      case SLIDING_LOG -> AlgorithmCode.SLIDING_LOG;
      case IN_FLIGHT -> AlgorithmCode.IN_FLIGHT;
    };
  }

  private static int window(Limit limit) {
    if (!(limit instanceof Limit.FixedWindow fixed)) {
      return 0;
    }
    if (fixed.window() instanceof Window.Calendar) {
      return CALENDAR;
    }
    return fixed.window() instanceof Window.FromFirstUse ? FROM_FIRST_USE : 0;
  }

  /** Whether a record of this kind and these parameters was written under this limit. */
  boolean wrote(State state, int kind, long first, long second) {
    if (kind != (flags & 3)) {
      return false;
    }
    if (meter instanceof TokenBucketMeter bucket) {
      return first == bucket.permitNumerator() && second == bucket.permitDenominator();
    }
    if (meter instanceof FixedWindowMeter fixed && (flags & FROM_FIRST_USE) == 0) {
      return fixed.edgesAt(state.time).end() == state.extra;
    }
    return first == Micros.of(policy.limit().period());
  }

  boolean isCalendar() {
    return (flags & CALENDAR) != 0;
  }

  /**
   * Writes one claim.
   *
   * @param keyIndex the index of its key in KEYS, from 1
   * @param operation that of the question; in a settlement, that of the claim
   * @param nowMicros an estimate of the store's time, for the edges of a calendar window
   */
  void write(
      ByteBuffer out,
      int keyIndex,
      OperationCode operation,
      boolean charged,
      long permits,
      long nowMicros) {
    out.putShort((short) keyIndex);
    out.put((byte) (flags + (permits == 0 ? READS_ONLY : 0) + (charged ? CHARGED : 0)));
    out.putInt(identity);
    if (meter instanceof TokenBucketMeter bucket) {
      writeBucket(out, bucket, operation, permits);
    } else {
      writeWindow(out, operation, permits, nowMicros);
    }
  }

  private static void writeBucket(
      ByteBuffer out, TokenBucketMeter bucket, OperationCode operation, long permits) {
    Span full = bucket.full();
    Span cost = cost(bucket, operation, permits);
    out.putDouble(full.whole()).putDouble(full.rest());
    out.putDouble(cost.whole()).putDouble(cost.rest());
    out.putDouble(bucket.permitNumerator()).putDouble(bucket.permitDenominator());
  }

  private static Span cost(TokenBucketMeter bucket, OperationCode operation, long permits) {
    long capacity = bucket.limit().capacity();
    if (operation.isBounded()) {
      return permits > capacity
          ? new Span(bucket.full().whole() + 1, 0) // more than full: never fits
          : bucket.spanOf(permits);
    }
    return bucket.spanOf(Math.min(permits, 2 * capacity));
  }

  private void writeWindow(ByteBuffer out, OperationCode operation, long permits, long nowMicros) {
    long limit = policy.limit().permits();
    long most =
        operation.isBounded()
            ? limit + 1
            : meter.form() == Form.SLOTS ? Limit.RequestsInFlight.MAX_SLOTS : Check.MAX_PERMITS;
    out.putDouble(limit).putDouble(Math.min(permits, most));
    long warnAt =
        policy.limit() instanceof Limit.FixedWindow fixed ? fixed.warnAtPermits().orElse(0) : 0;
    if (isCalendar()) {
      Edges edges = ((FixedWindowMeter) meter).edgesAt(nowMicros);
      out.putDouble(0).putDouble(edges.start()).putDouble(edges.end()).putDouble(warnAt);
    } else {
      out.putDouble(Micros.of(policy.limit().period())).putDouble(0).putDouble(0).putDouble(warnAt);
    }
  }
}
