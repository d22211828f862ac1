package dev.weir.redis.internal.protocol;

import dev.weir.Limit;
import dev.weir.internal.arithmetic.FixedWindowMeter;
import dev.weir.internal.arithmetic.Meter;
import dev.weir.internal.arithmetic.State;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/** Reads the records of a state value; decide.lua describes its bytes. */
final class PackedState {
  private static final int HEADER = 6;
  private static final int RECORD = 38;

  private final ByteBuffer bytes;
  private final boolean serverTime;
  private final long nowMicros;

  /**
   * @param value as the script gave it
   * @param serverTime whether the server's clock, which can be set back, decided
   */
  PackedState(byte[] value, boolean serverTime, long nowMicros) {
    bytes = ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN);
    this.serverTime = serverTime;
    this.nowMicros = nowMicros;
  }

  /** The number of bytes before the state. */
  static int lengthBefore(byte[] textAndState) {
    return (textAndState.length - HEADER) % RECORD;
  }

  /** The record of a policy, as its limit reads it. */
  RecordView view(EncodedPolicy policy) {
    int at = find(policy.identity);
    if (at < 0) {
      return new RecordView(policy.meter, new State(), nowMicros, Long.MAX_VALUE, false);
    }
    State state = new State();
    state.set(unsigned(at + 4, 7), unsigned(at + 11, 7), unsigned(at + 18, 7));
    long endsAt = Long.MAX_VALUE;
    int kind = bytes.getInt(at) & 3;
    long first = unsigned(at + 25, 6);
    long second = unsigned(at + 31, 7);
    boolean warnedByLastWrite =
        kind == AlgorithmCode.FIXED_WINDOW && second == 2 && policy.canWarn();
    if (kind == AlgorithmCode.FIXED_WINDOW && second > 0) {
      FixedWindowMeter.setWarned(state);
    }
    if (!policy.wrote(state, kind, first, second)) {
      Meter writer = writer(kind, first, second);
      endsAt = writer.endsAt(state);
      state = policy.meter.view(state, writer, nowMicros);
    }
    if (serverTime) {
      policy.meter.bringBack(state, nowMicros);
    }
    return new RecordView(policy.meter, state, nowMicros, endsAt, warnedByLastWrite);
  }

  /** Where the record of a limit begins; negative if there is none. */
  private int find(int identity) {
    for (int at = HEADER; at + RECORD <= bytes.capacity(); at += RECORD) {
      if ((bytes.getInt(at) & ~3) == identity) {
        return at;
      }
    }
    return -1;
  }

  /** A meter with the parameters of the record's writer, which do not include the capacity. */
  private static Meter writer(int kind, long first, long second) {
    return Meter.of(
        switch (kind) {
          case AlgorithmCode.FIXED_WINDOW -> Limit.fixedWindow(1, micros(first)).fromFirstUse();
          case AlgorithmCode.SLIDING_WINDOW -> Limit.slidingWindow(1, micros(first));
          default -> Limit.tokenBucket(second, micros(first)).withBurst(1);
        });
  }

  private static Duration micros(long micros) {
    return Duration.of(micros, ChronoUnit.MICROS);
  }

  private long unsigned(int at, int length) {
    long value = 0;
    for (int i = length - 1; i >= 0; i--) {
      value = value << 8 | bytes.get(at + i) & 0xff;
    }
    return value;
  }
}
