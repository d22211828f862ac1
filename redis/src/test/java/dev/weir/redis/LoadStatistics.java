package dev.weir.redis;

import dev.weir.Decision;
import dev.weir.Source;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** Counts the decisions about one key, phase by phase. Safe for many threads. */
final class LoadStatistics {
  private final long lateMicros;
  private final List<Long> micros = new ArrayList<>();
  private final long[] admitted = new long[Source.values().length];
  private final long[] denied = new long[Source.values().length];
  private long phaseStart = System.nanoTime();
  private long lastFallback = phaseStart;
  private long late;

  LoadStatistics(Duration deadline) {
    this.lateMicros = deadline.multipliedBy(2).toNanos() / 1000;
  }

  synchronized void add(Decision decision, long nanos) {
    (decision.allowed() ? admitted : denied)[decision.source().ordinal()]++;
    micros.add(nanos / 1000);
    late += nanos / 1000 > lateMicros ? 1 : 0;
    if (decision.source() == Source.FALLBACK) {
      lastFallback = System.nanoTime();
    }
  }

  /** Ends a phase and begins the next one. */
  synchronized KeyReport nextPhase() {
    KeyReport ended = report();
    micros.clear();
    Arrays.fill(admitted, 0);
    Arrays.fill(denied, 0);
    phaseStart = System.nanoTime();
    lastFallback = phaseStart;
    late = 0;
    return ended;
  }

  /** Of the phase until now. */
  synchronized KeyReport report() {
    Collections.sort(micros); // their order tells nothing
    return new KeyReport(
        micros.size(),
        admitted[Source.STORE.ordinal()],
        admitted[Source.FALLBACK.ordinal()],
        denied[Source.STORE.ordinal()],
        denied[Source.DENY_CACHE.ordinal()],
        denied[Source.FALLBACK.ordinal()],
        late,
        quantile(1),
        quantile(0.99),
        (lastFallback - phaseStart) / 1000,
        (System.nanoTime() - lastFallback) / 1000);
  }

  private long quantile(double share) {
    return micros.isEmpty() ? 0 : micros.get((int) Math.ceil(share * micros.size()) - 1);
  }
}
