package dev.weir.server.dashboard;

import dev.weir.Outcome;
import dev.weir.Policy;
import dev.weir.Source;
import dev.weir.spi.Operation;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/** What one limit was asked in the last minute. Counting is safe for many threads. */
final class LimitTraffic {
  static final int SECONDS = 60;
  private static final int RATE_SECONDS = 10;

  /**
   * An allowed request is near the limit if this part of the capacity or more is used after it; the
   * same part as in the metrics.
   */
  private static final double NEAR = 0.8;

  private static final int PER_MILLE = 1000;

  private final Policy policy;
  private final LongAdder requests = new LongAdder();
  private final LongAdder denials = new LongAdder();
  private final LongAdder near = new LongAdder();
  private final LongAccumulator fullest = new LongAccumulator(Math::max, 0);

  private final long[] requestsBySecond = new long[SECONDS];
  private final long[] denialsBySecond = new long[SECONDS];
  private final long[] nearBySecond = new long[SECONDS];
  private final long[] fullestBySecond = new long[SECONDS];
  private int seconds;
  private int idleSeconds;

  LimitTraffic(Policy policy) {
    this.policy = policy;
  }

  /**
   * The last minute of a limit.
   *
   * @param perSecond requests, as the mean of the last ten seconds
   * @param deniedPerSecond the same of those that this limit denied by itself
   * @param requests of the last minute; likewise {@code denials}
   * @param nearShare of the allowed requests, those that left a fifth of the capacity or less
   * @param fullest of the key that has used most: how much of the capacity, 1 is all
   */
  record LimitMinute(
      Policy policy,
      double perSecond,
      double deniedPerSecond,
      long requests,
      long denials,
      double nearShare,
      double fullest) {}

  void count(Operation operation, Outcome outcome) {
    requests.increment();
    if (!outcome.allowed()) {
      denials.increment();
    }
    if (outcome.source() == Source.FALLBACK || outcome.claim().isBlocked()) {
      return; // the state is unknown, or does not matter
    }
    double used = 1 - outcome.remaining() / (double) policy.limit().capacity();
    fullest.accumulate(Math.round(used * PER_MILLE));
    if (used >= NEAR && (outcome.allowed() || operation == Operation.CHARGE)) {
      near.increment();
    }
  }

  /** Closes a second; to be called by one thread. */
  synchronized void tick() {
    int slot = seconds++ % SECONDS;
    requestsBySecond[slot] = requests.sumThenReset();
    denialsBySecond[slot] = denials.sumThenReset();
    nearBySecond[slot] = near.sumThenReset();
    fullestBySecond[slot] = fullest.getThenReset();
    idleSeconds = requestsBySecond[slot] == 0 ? idleSeconds + 1 : 0;
  }

  synchronized int idleSeconds() {
    return idleSeconds;
  }

  synchronized LimitMinute view() {
    long asked = sum(requestsBySecond, SECONDS);
    long denied = sum(denialsBySecond, SECONDS);
    long allowed = asked - denied;
    long most = 0;
    for (long each : fullestBySecond) {
      most = Math.max(most, each);
    }
    return new LimitMinute(
        policy,
        rate(requestsBySecond),
        rate(denialsBySecond),
        asked,
        denied,
        allowed == 0 ? 0 : Math.min(1, sum(nearBySecond, SECONDS) / (double) allowed),
        most / (double) PER_MILLE);
  }

  private double rate(long[] bySecond) {
    int over = Math.min(RATE_SECONDS, Math.max(1, seconds));
    return sum(bySecond, over) / (double) over;
  }

  private long sum(long[] bySecond, int last) {
    long sum = 0;
    for (int back = 1; back <= Math.min(last, seconds); back++) {
      sum += bySecond[Math.floorMod(seconds - back, SECONDS)];
    }
    return sum;
  }
}
