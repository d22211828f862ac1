package dev.weir.redis.internal.protocol;

import dev.weir.internal.arithmetic.InFlightMeter;
import dev.weir.spi.Verdict;
import java.nio.ByteBuffer;

/** Slots of requests in flight as the numbers that the script reports. */
final class SlotsView implements ClaimState {
  private final InFlightMeter meter;
  private final long nowMicros;
  private final long freesMicros;
  private long used;
  private long lastEndMicros;

  /**
   * @param numbers the next four are those of these slots
   * @param serverTime whether the server's clock decided. If that was set back, slots end one hold
   *     from now at the latest, which a reading script does not write
   */
  SlotsView(InFlightMeter meter, ByteBuffer numbers, boolean serverTime, long nowMicros) {
    this.meter = meter;
    this.nowMicros = nowMicros;
    used = LogView.read7(numbers);
    long latest = serverTime ? nowMicros + meter.hold() : Long.MAX_VALUE;
    lastEndMicros = Math.min(latest, LogView.read7(numbers));
    freesMicros = Math.min(latest, LogView.read7(numbers));
    LogView.read7(numbers); // used for logs only
  }

  @Override
  public void take(long permits) {
    used += permits;
    lastEndMicros = Math.max(lastEndMicros, nowMicros + meter.hold());
  }

  @Override
  public Verdict verdict(long permits, boolean fits) {
    return meter.verdict(nowMicros, permits, fits, used, lastEndMicros, freesMicros);
  }

  /** A charge takes no slots. It fits unless more slots are held than the limit has now. */
  @Override
  public Verdict chargeVerdict(long permits) {
    return verdict(permits, used <= meter.limit().capacity());
  }
}
