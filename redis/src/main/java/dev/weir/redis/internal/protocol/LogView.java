package dev.weir.redis.internal.protocol;

import dev.weir.internal.arithmetic.SlidingLogMeter;
import dev.weir.spi.Verdict;
import java.nio.ByteBuffer;

/** A sliding log as the four numbers that the script reports. */
final class LogView implements ClaimState {
  private final SlidingLogMeter meter;
  private final long nowMicros;
  private final long freesMicros;
  private long used;
  private long newestMicros;
  private long endsAtMicros;

  /**
   * @param log the next four numbers are those of this log
   */
  LogView(SlidingLogMeter meter, ByteBuffer log, long nowMicros) {
    this.meter = meter;
    this.nowMicros = nowMicros;
    used = read7(log);
    newestMicros = read7(log);
    freesMicros = read7(log);
    endsAtMicros = read7(log);
  }

  long used() {
    return used;
  }

  @Override
  public void take(long permits) {
    used += permits;
    newestMicros = Math.max(newestMicros, nowMicros);
    endsAtMicros = Long.MAX_VALUE; // the log is now written under this limit
  }

  @Override
  public Verdict verdict(long permits, boolean fits) {
    return meter.verdict(nowMicros, permits, fits, used, newestMicros, freesMicros, endsAtMicros);
  }

  @Override
  public Verdict chargeVerdict(long permits) {
    return verdict(permits, used <= meter.limit().capacity());
  }

  static long read7(ByteBuffer in) {
    long value = 0;
    for (int shift = 0; shift < 56; shift += 8) {
      value |= (in.get() & 0xffL) << shift;
    }
    return value;
  }
}
