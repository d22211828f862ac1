package dev.weir.internal.guard;

import dev.weir.Claim;
import dev.weir.Lease;
import dev.weir.Policy;
import dev.weir.Receipt;
import dev.weir.Source;
import dev.weir.spi.LeaseAnswer;
import dev.weir.spi.Question;
import dev.weir.spi.Verdict;
import dev.weir.spi.Verdicts;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * What this instance holds of the states that one kind of question draws on: leases, the store's
 * last denial, and how often the question is asked. Safe for many threads.
 */
final class LeasedKey {
  /** Fewer requests in a lease are not worth a call of its own. */
  private static final int LEAST_USES = 3;

  private static final int LEAST_USES_OF_HOT_KEY = LeaseSize.DECISIONS_PER_CALL;

  final List<Claim> claims;
  private final long periodNanos;
  private final double periodSeconds;
  private final int leastUses;
  private final DemandMeter demand;
  private final LeaseCounters counters;
  private final ArrayDeque<LeaseGrant> grants = new ArrayDeque<>(2);
  private @Nullable LeaseDenial denial;
  private @Nullable List<Verdict> lastVerdicts;
  private long lastSentNanos;
  private boolean asking;
  private int version;

  LeasedKey(List<Claim> claims, long nowNanos, LeaseCounters counters) {
    this.claims = claims;
    this.counters = counters;
    Lease lease = shortest(claims);
    this.periodNanos = lease.period().toNanos();
    this.periodSeconds = periodNanos / 1e9;
    this.leastUses = lease.onlyHotKeys() ? LEAST_USES_OF_HOT_KEY : LEAST_USES;
    this.demand = new DemandMeter(periodNanos, nowNanos);
  }

  private static Lease shortest(List<Claim> claims) {
    Lease shortest = claims.get(0).policy().lease().orElseThrow();
    for (Claim claim : claims) {
      Lease lease = claim.policy().lease().orElseThrow();
      boolean isShorter = lease.period().compareTo(shortest.period()) < 0;
      Duration period = isShorter ? lease.period() : shortest.period();
      shortest = new Lease(period, shortest.onlyHotKeys() || lease.onlyHotKeys());
    }
    return shortest;
  }

  /** Whether the policies are still those that were leased under. */
  boolean isUnder(List<Claim> asked) {
    for (int i = 0; i < claims.size(); i++) {
      Policy policy = asked.get(i).policy();
      Policy leased = claims.get(i).policy();
      if (policy != leased && !policy.equals(leased)) {
        return false;
      }
    }
    return true;
  }

  /**
   * A request to the store for a lease.
   *
   * @param version what the key was reset to last; a lease from before a reset is not used
   */
  record Request(int times, int version) {}

  /** Serves or denies a request here; null if the store has to be asked. */
  synchronized @Nullable Verdicts answer(Question question, long nowNanos) {
    demand.add(nowNanos);
    LeaseGrant from = take(question.claims(), nowNanos);
    if (from != null) {
      counters.allowed.increment();
      return served(from, question.claims(), nowNanos);
    }
    if (denial != null && denial.denies(question.claims(), nowNanos)) {
      counters.denied.increment();
      return denial.repeated(nowNanos);
    }
    return null;
  }

  /** What {@link #answer} would say of a request that fits here; null if none does. */
  synchronized @Nullable Verdicts peek(Question question, long nowNanos) {
    for (LeaseGrant grant : grants) {
      if (grant.fits(question.claims(), nowNanos)) {
        return served(grant, question.claims(), nowNanos);
      }
    }
    return null;
  }

  private @Nullable LeaseGrant take(List<Claim> asked, long nowNanos) {
    for (Iterator<LeaseGrant> each = grants.iterator(); each.hasNext(); ) {
      LeaseGrant grant = each.next();
      if (grant.take(asked, nowNanos)) {
        return grant;
      }
      if (grant.isSpent(nowNanos)) {
        counters.expired.add(grant.leftOver());
        each.remove();
      }
    }
    return null;
  }

  /** Remaining is what is left here and what the store had left when it was last asked. */
  private Verdicts served(LeaseGrant from, List<Claim> asked, long nowNanos) {
    long ageMicros = (nowNanos - lastSentNanos) / 1000;
    List<Verdict> each = new ArrayList<>(asked.size());
    for (int i = 0; i < asked.size(); i++) {
      Verdict last = lastVerdicts == null ? null : lastVerdicts.get(i);
      long remaining = last == null ? 0 : last.remaining();
      for (LeaseGrant grant : grants) {
        remaining += grant.unspent(i, nowNanos);
      }
      long resetAfter = last == null ? 0 : Math.max(0, last.resetAfterMicros() - ageMicros);
      long capacity = asked.get(i).policy().limit().capacity();
      each.add(
          new Verdict(
              from.receiptMicros(i),
              true,
              Math.min(capacity, remaining),
              0,
              resetAfter,
              Source.LEASE,
              null));
    }
    return new Verdicts(true, each);
  }

  /** The request to send now: because nothing is left, or ahead of need; null if none. */
  synchronized @Nullable Request nextRequest(Question question, long nowNanos) {
    if (denial != null && nowNanos - denial.askAgainNanos() > periodNanos) {
      denial = null; // nobody has asked for so long that nothing is known
    }
    boolean denied = denial != null;
    if (asking
        || denial != null && nowNanos - denial.askAgainNanos() < 0
        || !grants.isEmpty() && !grants.getLast().isLow(nowNanos)) {
      return null;
    }
    double perSecond = demand.perSecond(nowNanos);
    int times =
        LeaseSize.times(
            question.claims(),
            perSecond,
            periodSeconds,
            lastVerdicts,
            (nowNanos - lastSentNanos) / 1000,
            denied);
    double seconds = LeaseSize.seconds(question.claims(), times, periodSeconds);
    if (!denied && perSecond * seconds < leastUses || denied && !isBusy(perSecond)) {
      return null;
    }
    asking = true;
    counters.calls.increment();
    return new Request(times, version);
  }

  private boolean isBusy(double perSecond) {
    return perSecond * periodSeconds >= leastUses;
  }

  /**
   * Notes the answer to a request.
   *
   * @param takesFirst whether the question itself is served by it
   * @return the answer to the question; null if it was not to be served, or the lease is void
   */
  synchronized @Nullable Verdicts answered(
      Question question,
      Request request,
      LeaseAnswer answer,
      boolean takesFirst,
      long sentNanos,
      long nowNanos) {
    asking = false;
    if (request.version() != version) {
      return null;
    }
    lastVerdicts = answer.verdicts().each();
    lastSentNanos = sentNanos;
    denial = answer.verdicts().allowed() ? null : denial(question, answer, sentNanos, nowNanos);
    if (answer.granted() == 0) {
      return takesFirst ? answer.verdicts() : null;
    }
    LeaseGrant grant = new LeaseGrant(question, answer, sentNanos, nowNanos);
    counters.leased.add(grant.leftOver());
    grants.addLast(grant);
    if (!takesFirst || !grant.take(question.claims(), nowNanos)) {
      return null;
    }
    counters.allowed.increment();
    return served(grant, question.claims(), nowNanos);
  }

  /**
   * While the limit is reached, an instance asks about once for every fifty requests it gets, at
   * random times, and takes what has come back. So shares follow the load of the instances, as they
   * do when each request asks.
   */
  private LeaseDenial denial(Question question, LeaseAnswer answer, long sentNanos, long nowNanos) {
    double mean = LeaseSize.DECISIONS_PER_CALL * 1e9 / demand.perSecond(nowNanos);
    double random = -Math.log(1 - ThreadLocalRandom.current().nextDouble()) * mean;
    long pause = (long) Math.min(random, periodNanos / 2.0);
    long wait = 0;
    for (Verdict verdict : answer.verdicts().each()) {
      wait = Math.max(wait, verdict.fits() ? 0 : verdict.retryAfterMicros());
    }
    long waitNanos = wait > periodNanos / 1000 ? periodNanos : wait * 1000;
    return new LeaseDenial(
        question.claims(),
        answer.verdicts().each(),
        sentNanos,
        sentNanos + Math.max(pause, waitNanos));
  }

  synchronized void failed() {
    asking = false;
  }

  /** Takes back what a request has spent here; null if its lease has ended or was another's. */
  synchronized @Nullable Verdicts putBack(Receipt receipt, long nowNanos) {
    denial = null;
    for (LeaseGrant grant : grants) {
      if (receipt.grants().size() == claims.size()
          && !grant.isOver(nowNanos)
          && grant.putBack(receipt.grants())) {
        return served(grant, receipt.claims(), nowNanos);
      }
    }
    return null;
  }

  /** What is left of all leases, to be given back to the store; gone from here afterwards. */
  synchronized List<Receipt> drain(long nowNanos) {
    List<Receipt> receipts = new ArrayList<>(grants.size());
    for (LeaseGrant grant : grants) {
      List<Receipt.Grant> left = grant.drain(nowNanos);
      if (!left.isEmpty()) {
        receipts.add(new Receipt(left));
      }
    }
    grants.clear();
    return receipts;
  }

  /** Forgets leases and denials: the store has forgotten the key, or its limit has changed. */
  synchronized void forget() {
    version++;
    grants.forEach(grant -> counters.expired.add(grant.leftOver()));
    grants.clear();
    denial = null;
    lastVerdicts = null;
  }

  /** Whether it was not asked for lately, so that others should have what is left. */
  synchronized boolean isIdle(long nowNanos) {
    return !asking && demand.nanosSinceLast(nowNanos) >= periodNanos / 2;
  }

  synchronized long unspent(int claim, long nowNanos) {
    long sum = 0;
    for (LeaseGrant grant : grants) {
      sum += grant.unspent(claim, nowNanos);
    }
    return sum;
  }

  /** When the last lease ends; now if there is none. */
  synchronized long endsNanos(long nowNanos) {
    return grants.isEmpty() ? nowNanos : Math.max(nowNanos, grants.getLast().endsNanos());
  }

  boolean drawsOn(List<Claim> others) {
    for (Claim claim : claims) {
      for (Claim other : others) {
        if (claim.sameState(other)) {
          return true;
        }
      }
    }
    return false;
  }
}
