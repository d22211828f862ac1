package dev.weir.redis.internal.protocol;

import dev.weir.internal.arithmetic.Meter;
import dev.weir.internal.arithmetic.State;
import dev.weir.spi.Verdict;

/** A record of a packed state as one limit reads it. */
final class RecordView implements ClaimState {
  private final Meter meter;
  private final State state;
  private final long nowMicros;
  private long endsAtMicros;

  /**
   * @param endsAtMicros when the record has expired under the limit that wrote it
   */
  RecordView(Meter meter, State state, long nowMicros, long endsAtMicros) {
    this.meter = meter;
    this.state = state;
    this.nowMicros = nowMicros;
    this.endsAtMicros = endsAtMicros;
  }

  @Override
  public void take(long permits) {
    meter.take(state, nowMicros, permits);
    endsAtMicros = Long.MAX_VALUE; // now it is a record of this limit
  }

  @Override
  public Verdict verdict(long permits, boolean fits) {
    return meter.verdict(state, nowMicros, permits, fits, endsAtMicros);
  }

  @Override
  public Verdict chargeVerdict(long permits) {
    return meter.chargeVerdict(state, nowMicros, permits, endsAtMicros);
  }
}
