package dev.weir.redis.internal.protocol;

import dev.weir.internal.arithmetic.Meter;
import dev.weir.internal.arithmetic.State;
import dev.weir.spi.Verdict;

/** A record of a packed state as one limit reads it. */
final class RecordView implements ClaimState {
  private final Meter meter;
  private final State state;
  private final long nowMicros;
  private final boolean warnedByLastWrite;
  private long endsAtMicros;
  private boolean firstWarning;

  /**
   * @param endsAtMicros when the record expires under the limit that wrote it
   * @param warnedByLastWrite whether the last write was the first to reach the limit's warn-at
   */
  RecordView(
      Meter meter, State state, long nowMicros, long endsAtMicros, boolean warnedByLastWrite) {
    this.meter = meter;
    this.state = state;
    this.nowMicros = nowMicros;
    this.endsAtMicros = endsAtMicros;
    this.warnedByLastWrite = warnedByLastWrite;
  }

  @Override
  public void take(long permits) {
    boolean warned = meter.warned(state, nowMicros);
    meter.take(state, nowMicros, permits);
    firstWarning = !warned && meter.warned(state, nowMicros);
    endsAtMicros = Long.MAX_VALUE; // the record is now written under this limit
  }

  /** Called if the question took permits: the reported record already includes them. */
  void takenByScript() {
    firstWarning = warnedByLastWrite;
  }

  @Override
  public Verdict verdict(long permits, boolean fits) {
    return warning(meter.verdict(state, nowMicros, permits, fits, endsAtMicros));
  }

  private Verdict warning(Verdict verdict) {
    boolean first = firstWarning;
    firstWarning = false; // for the next of several merged questions
    return verdict.withFirstWarning(first);
  }

  @Override
  public Verdict chargeVerdict(long permits) {
    return warning(meter.chargeVerdict(state, nowMicros, permits, endsAtMicros));
  }
}
