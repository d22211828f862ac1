package dev.weir.internal.guard;

import dev.weir.Claim;
import dev.weir.Lease;
import dev.weir.LeaseStatus;
import dev.weir.Policy;
import dev.weir.Receipt;
import dev.weir.Source;
import dev.weir.internal.arithmetic.LeasePool;
import dev.weir.spi.LeaseAnswer;
import dev.weir.spi.Question;
import dev.weir.spi.Verdict;
import dev.weir.spi.Verdicts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The leases of this instance for one list of policies and keys, with the store's last denial and
 * the rate of requests. Questions that differ only in their permits share it. Safe for many
 * threads.
 */
final class LeasedKey {
  /** A lease must serve this many requests to be worth a call of its own. */
  private static final int LEAST_USES = 3;

  private static final int LEAST_USES_OF_HOT_KEY = 50;

  final List<Claim> claims;
  private final long periodNanos;
  private final double periodSeconds;
  private final double lifeSeconds;
  private final int leastUses;
  private final RequestRate requestRate;
  private final DemandReports demand;
  private final LeaseRenewal renewal;
  private final LeaseCounters counters;
  private final DoubleSupplier random;
  final LeasedClaims inStore;
  private final LeasePool[] pools;
  private @Nullable LeaseDenial denial;
  private @Nullable List<Verdict> lastVerdicts;
  private long lastSentNanos;
  private long noLeaseUntilNanos;
  private boolean asking;
  private boolean isMuchOut;
  private int version;

  LeasedKey(List<Claim> claims, long nowNanos, LeaseCounters counters, DoubleSupplier random) {
    this.claims = claims;
    this.counters = counters;
    this.random = random;
    Lease lease = LeasedClaims.shortestLease(claims);
    this.periodNanos = lease.period().toNanos();
    this.periodSeconds = periodNanos / 1e9;
    this.leastUses = lease.onlyHotKeys() ? LEAST_USES_OF_HOT_KEY : LEAST_USES;
    this.requestRate = new RequestRate(periodNanos, nowNanos);
    this.demand = new DemandReports(claims.get(0), periodNanos, nowNanos);
    this.noLeaseUntilNanos = nowNanos;
    this.inStore = new LeasedClaims(claims, lease.period());
    this.lifeSeconds = inStore.lifeMicros() / 1e6;
    this.renewal = new LeaseRenewal(lifeSeconds * 1e9);
    this.pools = new LeasePool[claims.size()];
    for (int i = 0; i < pools.length; i++) {
      pools[i] = inStore.pool(i);
    }
  }

  /** The question that reports the requests of this instance to the others. */
  Question report(Request request) {
    return demand.question(request.report());
  }

  synchronized void reported(Verdicts verdicts) {
    demand.answered(verdicts.each().get(0));
  }

  /** Whether the policies are still those of the leases. */
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
   * @param share of all requests that this instance gets
   * @param report the requests since the last report; 0 for no report
   * @param version counts resets of the key; a lease requested before a reset is not used
   */
  record Request(int times, double share, long report, int version) {}

  /** Allows or denies a request without the store; null if the store has to be asked. */
  synchronized @Nullable Verdicts answer(Question question, long nowNanos) {
    requestRate.add(nowNanos);
    if (fits(question.claims(), nowNanos)) {
      for (int i = 0; i < pools.length; i++) {
        pools[i].take(question.claims().get(i).permits(), nowNanos);
      }
      counters.allowed.increment();
      return served(question.claims(), nowNanos);
    }
    if (denial != null && denial.denies(question.claims(), nowNanos, asking)) {
      counters.denied.increment();
      return denial.repeated(nowNanos);
    }
    return null;
  }

  /** The answer to a peek if leased permits cover it; null if the store has to be asked. */
  synchronized @Nullable Verdicts peek(Question question, long nowNanos) {
    return fits(question.claims(), nowNanos) ? served(question.claims(), nowNanos) : null;
  }

  private boolean fits(List<Claim> asked, long nowNanos) {
    for (int i = 0; i < pools.length; i++) {
      if (pools[i].unspent(nowNanos) < asked.get(i).permits()) {
        return false;
      }
    }
    return true;
  }

  /** Remaining is what is leased here plus what the store had left in its last answer. */
  private Verdicts served(List<Claim> asked, long nowNanos) {
    List<Verdict> each = new ArrayList<>(asked.size());
    for (int i = 0; i < asked.size(); i++) {
      each.add(verdict(i, nowNanos));
    }
    return new Verdicts(true, each);
  }

  private Verdict verdict(int claim, long nowNanos) {
    Verdict last = lastVerdicts == null ? null : lastVerdicts.get(claim);
    long known = last == null ? 0 : last.remaining();
    long capacity = claims.get(claim).policy().limit().capacity();
    long remaining = Math.min(capacity, known + pools[claim].unspent(nowNanos));
    long ageMicros = (nowNanos - lastSentNanos) / 1000;
    long resetAfter = last == null ? 0 : Math.max(0, last.resetAfterMicros() - ageMicros);
    return new Verdict(
        pools[claim].receiptMicros(), true, remaining, 0, resetAfter, Source.LEASE, null);
  }

  /** The request to send because leased permits are used up or running low; null if none. */
  synchronized @Nullable Request nextRequest(Question question, long nowNanos) {
    if (denial != null && nowNanos - denial.askAgainNanos() > periodNanos) {
      denial = null; // too old: no request came for a whole period
    }
    boolean denied = denial != null;
    boolean isLater = denied && nowNanos - denial.askAgainNanos() < 0;
    if (asking || isLater || nowNanos - noLeaseUntilNanos < 0 || !isLow(question, nowNanos)) {
      return null;
    }
    double perSecond = requestRate.perSecond(nowNanos);
    LeaseSize.Basis basis =
        new LeaseSize.Basis(
            perSecond,
            demand.ofAllPerSecond(),
            lifeSeconds(nowNanos),
            held(question, perSecond, nowNanos),
            lastVerdicts,
            (nowNanos - lastSentNanos) / 1000,
            denied,
            isMuchOut);
    if (!denied && perSecond * lifeSeconds < leastUses || denied && !isBusy(perSecond)) {
      return null;
    }
    List<Claim> stored = inStore.stored(question);
    boolean isShareSmall = LeaseSize.isShareSmall(stored, basis);
    long report = demand.due(requestRate, denied, isShareSmall, nowNanos);
    asking = true;
    counters.calls.increment();
    return new Request(LeaseSize.times(stored, basis), basis.share(), report, version);
  }

  /** How long permits leased now could be spent. */
  private double lifeSeconds(long nowNanos) {
    double seconds = lifeSeconds;
    for (LeasePool pool : pools) {
      seconds = Math.min(seconds, pool.lifeNanos(nowNanos) / 1e9);
    }
    return seconds;
  }

  /** How many such questions the leased permits will serve before they end. */
  private double held(Question question, double perSecond, long nowNanos) {
    double held = Double.MAX_VALUE;
    for (int i = 0; i < pools.length; i++) {
      long permits = question.claims().get(i).permits();
      held = Math.min(held, pools[i].spendable(nowNanos, perSecond * permits) / permits);
    }
    return held;
  }

  private boolean isLow(Question question, long nowNanos) {
    for (int i = 0; i < pools.length; i++) {
      long low = renewal.lowRequests() * question.claims().get(i).permits();
      if (pools[i].isLow(nowNanos, low, renewal.leadNanos())) {
        return true;
      }
    }
    return false;
  }

  private boolean isBusy(double perSecond) {
    return perSecond * periodSeconds >= leastUses;
  }

  /**
   * Notes the answer to a request for a lease.
   *
   * @param takesFirst whether the lease also serves the question itself
   * @return the answer to the question; null if the lease does not serve it, or is void
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
    Verdicts own = inStore.own(answer.verdicts());
    lastVerdicts = own.each();
    lastSentNanos = sentNanos;
    long wait = inStore.waitForOthersMicros(answer.verdicts());
    noLeaseUntilNanos = sentNanos + 1000 * wait;
    isMuchOut = inStore.isMuchOut(answer.verdicts());
    renewal.plan(nowNanos - sentNanos, requestRate.perSecond(nowNanos));
    demand.noteScarcity(!own.allowed() || wait > 0 || inStore.isLittleLeft(own));
    boolean isOver = denial == null || wait == 0 && hasPlenty(question, answer, request.share());
    denial = own.allowed() && isOver ? null : denial(question, own, sentNanos, nowNanos);
    if (answer.granted() == 0) {
      return takesFirst && !own.allowed() ? own : null;
    }
    int leased = takesFirst ? answer.granted() - 1 : answer.granted();
    for (int i = 0; i < pools.length; i++) {
      long permits = question.claims().get(i).permits();
      Verdict verdict = lastVerdicts.get(i);
      counters.leased.add(leased * permits);
      pools[i].add(
          leased * permits, sentNanos, nowNanos, verdict.atMicros(), verdict.resetAfterMicros());
      counters.expired.add(pools[i].takeLost());
    }
    return takesFirst ? served(question.claims(), nowNanos) : null;
  }

  synchronized int version() {
    return version;
  }

  /**
   * Remembers a denial that the store gave without a lease, if other instances hold all permits
   * that may be leased. The key is hot then, and otherwise every request would ask the store.
   * Denials of cold keys are not remembered here.
   */
  synchronized void decided(
      Question question, Verdicts answer, int sentVersion, long sentNanos, long nowNanos) {
    boolean isDenied =
        !answer.allowed()
            && answer.each().stream().allMatch(verdict -> verdict.source() == Source.STORE);
    boolean waited = sentNanos - noLeaseUntilNanos < 0 && sentVersion == version;
    if (waited && isDenied && (denial == null || nowNanos - denial.askAgainNanos() >= 0)) {
      denial = denial(question, answer, sentNanos, nowNanos);
    }
  }

  /**
   * Whether this instance's share of what is left is at least twice what it has just taken, or a
   * good part of the limit is left. The second rule is for small limits, whose shares are never
   * that large.
   */
  private boolean hasPlenty(Question question, LeaseAnswer answer, double share) {
    for (int i = 0; i < question.claims().size(); i++) {
      long taken = question.claims().get(i).permits() * answer.granted();
      long left = answer.verdicts().each().get(i).remaining();
      if (left * share < 2 * taken
          && left < LeasedClaims.PLENTY * inStore.policy(i).limit().capacity()) {
        return false;
      }
    }
    return true;
  }

  /** A denial to repeat until its pause is over, or until the store said that permits come back. */
  private LeaseDenial denial(Question question, Verdicts own, long sentNanos, long nowNanos) {
    double perSecond = requestRate.perSecond(nowNanos);
    double chosen =
        LeaseDenial.pauseNanos(
            perSecond, nowNanos - sentNanos, lifeSeconds * 1e9, random.getAsDouble());
    long pause = (long) Math.min(chosen, periodNanos / 2.0);
    long wait = 0;
    for (Verdict verdict : own.each()) {
      wait = Math.max(wait, verdict.fits() ? 0 : verdict.retryAfterMicros());
    }
    long waitNanos = wait > periodNanos / 1000 ? periodNanos : wait * 1000;
    return new LeaseDenial(
        inStore.stored(question), own.each(), sentNanos, sentNanos + Math.max(pause, waitNanos));
  }

  synchronized void failed() {
    asking = false;
  }

  /** Takes back permits that were spent here; null if their lease has ended or is another's. */
  synchronized @Nullable Verdicts putBack(Receipt receipt, long nowNanos) {
    denial = null;
    List<Receipt.Grant> grants = receipt.grants();
    for (int i = 0; i < pools.length; i++) {
      boolean isSpentHere =
          grants.size() == pools.length && pools[i].canTakeBack(grants.get(i).atMicros());
      if (!isSpentHere) {
        return null;
      }
    }
    for (int i = 0; i < pools.length; i++) {
      pools[i].putBack(grants.get(i).claim().permits());
    }
    return served(receipt.claims(), nowNanos);
  }

  /** Ends all leases, and returns the unspent permits, to be given back to the store. */
  synchronized List<Receipt.Grant> drain(long nowNanos) {
    List<Receipt.Grant> grants = new ArrayList<>(pools.length);
    for (int i = 0; i < pools.length; i++) {
      long left = pools[i].unspent(nowNanos);
      long at = pools[i].returnMicros(nowNanos);
      pools[i].clear();
      counters.expired.add(pools[i].takeLost() - left);
      if (left > 0) {
        Claim unspent = new Claim(inStore.policy(i), claims.get(i).key(), left);
        grants.add(new Receipt.Grant(unspent, OptionalLong.of(at)));
      }
    }
    return grants;
  }

  /** Forgets leases and denials: the store has forgotten the key, or its limit has changed. */
  synchronized void forget() {
    version++;
    for (LeasePool pool : pools) {
      pool.clear();
      counters.expired.add(pool.takeLost());
    }
    denial = null;
    lastVerdicts = null;
  }

  /** Whether no request came lately, so that unspent permits should go back to the store. */
  synchronized boolean isIdle(long nowNanos) {
    return !asking && requestRate.nanosSinceLast(nowNanos) >= periodNanos / 2;
  }

  synchronized long unspent(int claim, long nowNanos) {
    return pools[claim].unspent(nowNanos);
  }

  synchronized void addHeld(List<LeaseStatus.Held> held, long nowNanos) {
    for (int i = 0; i < pools.length; i++) {
      long unspent = pools[i].unspent(nowNanos);
      if (unspent > 0) {
        Claim claim = claims.get(i);
        Duration left = Duration.ofNanos(pools[i].leftNanos(nowNanos));
        held.add(new LeaseStatus.Held(claim.policy(), claim.key(), unspent, left));
      }
    }
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
