package dev.weir.redis.internal.protocol;

import dev.weir.Limit;
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

  PackedState(byte[] value) {
    bytes = ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** The state of one limit, as its own meter reads it; fresh if there is no record. */
  State find(EncodedPolicy policy, long nowMicros) {
    for (int at = HEADER; at + RECORD <= bytes.capacity(); at += RECORD) {
      int tag = bytes.getInt(at);
      if ((tag & ~3) == policy.identity) {
        return read(at, tag & 3, policy, nowMicros);
      }
    }
    return new State();
  }

  private State read(int at, int kind, EncodedPolicy policy, long nowMicros) {
    State state = new State();
    long extra = unsigned(at + 18, 7);
    state.set(
        unsigned(at + 4, 7),
        unsigned(at + 11, 7),
        kind == AlgorithmCode.TOKEN_BUCKET_IN_DEBT ? ~extra : extra);
    long first = unsigned(at + 25, 6);
    long second = unsigned(at + 31, 7);
    Meter meter = policy.meter;
    // Only a question that reads leaves a record of another limit, or of another window, as it was.
    boolean same = policy.wrote(kind, first, second);
    meter.convert(state, same ? meter : writer(kind, first, second), nowMicros);
    return state;
  }

  /** A meter with the parameters a record was written with; its capacity is no part of them. */
  private static Meter writer(int kind, long first, long second) {
    return Meter.of(
        switch (kind) {
          case AlgorithmCode.FIXED_WINDOW -> Limit.fixedWindow(1, Duration.ofSeconds(1));
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
