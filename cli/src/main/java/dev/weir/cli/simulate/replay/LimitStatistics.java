package dev.weir.cli.simulate.replay;

import dev.weir.Limit;
import dev.weir.Outcome;
import dev.weir.Policy;
import dev.weir.cli.outline.LimitOutline;
import dev.weir.cli.outline.RuleOutline;
import dev.weir.internal.text.KebabCase;
import dev.weir.internal.text.LimitText;
import java.util.List;
import java.util.SortedMap;

/** What one limit of one rule did. Not safe for many threads. */
public final class LimitStatistics {
  private final Policy policy;
  private final PeakDemand peaks;
  private long asked;
  private long denied;

  LimitStatistics(Policy policy) {
    this.policy = policy;
    this.peaks = new PeakDemand(policy.limit());
  }

  void add(long atMicros, Outcome outcome, boolean counted) {
    asked++;
    denied += outcome.allowed() ? 0 : 1;
    long permits = outcome.claim().permits();
    if (permits > 0 && !outcome.claim().isBlocked()) {
      peaks.add(atMicros, outcome.claim().key(), permits, !outcome.allowed(), counted);
    }
  }

  /** Whether this is the limit, or one of its tiers and overrides. */
  boolean isOf(RuleOutline rule, LimitOutline limit) {
    return policy.rule().equals(rule.name()) && policy.name().equals(limit.name());
  }

  /** As in a rule file: {@code login/address}; shadow limits are marked. */
  public String name() {
    return policy.rule()
        + "/"
        + policy.name()
        + (policy.enforced() ? "" : " (" + KebabCase.of(policy.mode()) + ")");
  }

  /** As in a rule file: {@code 10 per minute}, {@code 10 per minute, burst 20}. */
  public String limit() {
    Limit limit = policy.limit();
    String text = LimitText.of(limit);
    return RequiredLimit.hasBurst(limit) ? text + ", burst " + limit.capacity() : text;
  }

  /** The number in question: the limit, or the burst of a bucket that has one of its own. */
  public long number() {
    return policy.limit().capacity();
  }

  /** A number in the words of a rule file. */
  public String proposal(long number) {
    Limit limit = policy.limit();
    return RequiredLimit.hasBurst(limit) ? "burst " + number : LimitText.of(number, limit);
  }

  public long asked() {
    return asked;
  }

  /** Requests that did not fit; for a shadow limit, that would not have passed. */
  public long denied() {
    return denied;
  }

  /** Keys that were folded early because there were too many at once. */
  long foldedEarly() {
    return peaks.foldedEarly();
  }

  public SortedMap<Long, PeakDemand.Share> distribution() {
    return peaks.distribution();
  }

  public List<LimitAdvice> advice() {
    return LimitAdvice.of(peaks.distribution(), number());
  }
}
