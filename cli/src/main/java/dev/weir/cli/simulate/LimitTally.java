package dev.weir.cli.simulate;

import dev.weir.Limit;
import dev.weir.Outcome;
import dev.weir.Policy;
import java.util.List;
import java.util.SortedMap;

/** What one limit of one rule did. Not safe for many threads. */
final class LimitTally {
  private final Policy policy;
  private final Peaks peaks;
  private long asked;
  private long denied;

  LimitTally(Policy policy) {
    this.policy = policy;
    this.peaks = new Peaks(policy.limit());
  }

  void add(long atMicros, Outcome outcome) {
    asked++;
    denied += outcome.allowed() ? 0 : 1;
    long permits = outcome.claim().permits();
    if (permits > 0 && !outcome.claim().isBlocked()) {
      peaks.add(atMicros, outcome.claim().key(), permits, !outcome.allowed());
    }
  }

  /** As in a rule file: {@code login/address}; shadow limits are marked. */
  String name() {
    return policy.rule() + "/" + policy.name() + (policy.enforced() ? "" : " (shadow)");
  }

  /** As in a rule file: {@code 10 per minute}. */
  String limit() {
    return text(policy.limit());
  }

  /** The number in question: the limit, or the burst of a bucket that has one of its own. */
  long number() {
    return policy.limit().capacity();
  }

  /** A number in the words of a rule file. */
  String proposal(long number) {
    Limit limit = policy.limit();
    return RequiredLimit.hasBurst(limit) ? "burst " + number : number + " per " + period(limit);
  }

  long asked() {
    return asked;
  }

  /** Requests that did not fit; for a shadow limit, that would not have passed. */
  long denied() {
    return denied;
  }

  SortedMap<Long, Peaks.Share> distribution() {
    return peaks.distribution();
  }

  List<Advice> advice() {
    return Advice.of(peaks.distribution(), number());
  }

  private static String text(Limit limit) {
    String rate = limit.permits() + " per " + period(limit);
    return RequiredLimit.hasBurst(limit) ? rate + ", burst " + limit.capacity() : rate;
  }

  private static String period(Limit limit) {
    return HumanFormat.period(limit.period());
  }
}
