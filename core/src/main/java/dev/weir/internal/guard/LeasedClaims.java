package dev.weir.internal.guard;

import dev.weir.Claim;
import dev.weir.Lease;
import dev.weir.Policy;
import dev.weir.internal.Micros;
import dev.weir.internal.arithmetic.LeasePool;
import dev.weir.spi.Question;
import dev.weir.spi.Verdict;
import dev.weir.spi.Verdicts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Translates questions about leased policies for the store, by their terms. Immutable. */
final class LeasedClaims {
  /** The part of a limit that must be left for permits not to be scarce. */
  static final double PLENTY = 0.3;

  private final List<LeaseTerms> terms;
  private final long lifeMicros;

  /**
   * @param period of the lease
   */
  LeasedClaims(List<Claim> claims, Duration period) {
    terms = claims.stream().map(claim -> LeaseTerms.of(claim.policy())).toList();
    long life = Micros.of(period);
    for (LeaseTerms each : terms) {
      life = Math.min(life, each.lifeMicros());
    }
    lifeMicros = life;
  }

  /** Claims that are leased together are leased for the shortest of their periods. */
  static Lease shortestLease(List<Claim> claims) {
    Lease shortest = claims.get(0).policy().lease().orElseThrow();
    for (Claim claim : claims) {
      Lease lease = claim.policy().lease().orElseThrow();
      boolean isShorter = lease.period().compareTo(shortest.period()) < 0;
      Duration period = isShorter ? lease.period() : shortest.period();
      shortest = new Lease(period, shortest.onlyHotKeys() || lease.onlyHotKeys());
    }
    return shortest;
  }

  /** How long permits can be spent at most. */
  long lifeMicros() {
    return lifeMicros;
  }

  LeasePool pool(int claim) {
    LeaseTerms own = terms.get(claim);
    return new LeasePool(own.stored().limit(), own.earlyLifeMicros(), own.lifeMicros());
  }

  /** The policy of a claim as the store counts it. */
  Policy policy(int claim) {
    return terms.get(claim).stored();
  }

  /** Whether permits for such a question can be leased at all. */
  boolean canLease(Question question) {
    for (int i = 0; i < terms.size(); i++) {
      if (!terms.get(i).canLease(question.claims().get(i).permits())) {
        return false;
      }
    }
    return true;
  }

  /** The claims of a question as the store counts them. */
  List<Claim> stored(Question question) {
    List<Claim> stored = new ArrayList<>(2 * terms.size());
    for (int i = 0; i < terms.size(); i++) {
      stored.add(terms.get(i).stored(question.claims().get(i)));
    }
    return stored;
  }

  /** The question that requests a lease: its claims, then those that bound the permits out. */
  Question leasing(Question question) {
    List<Claim> asked = stored(question);
    for (int i = 0; i < terms.size(); i++) {
      Claim claim = question.claims().get(i);
      for (Policy out : terms.get(i).out()) {
        asked.add(new Claim(out, claim.key(), claim.permits()));
      }
    }
    return question.about(asked);
  }

  /** The part of an answer to a request for a lease that answers the question itself. */
  Verdicts own(Verdicts answer) {
    List<Verdict> own = answer.each().subList(0, terms.size());
    boolean allowed = own.stream().allMatch(verdict -> verdict.fits() || verdict.isFailure());
    return new Verdicts(allowed, own);
  }

  /**
   * Whether an answer leaves little of a limit, so that instances should take only their shares.
   */
  boolean isLittleLeft(Verdicts own) {
    for (int i = 0; i < terms.size(); i++) {
      if (own.each().get(i).remaining() < PLENTY * policy(i).limit().capacity()) {
        return true;
      }
    }
    return false;
  }

  /** Whether most of the permits that may be out are, so that large leases may not fit. */
  boolean isMuchOut(Verdicts answer) {
    int next = terms.size();
    for (LeaseTerms each : terms) {
      for (Policy out : each.out()) {
        if (answer.each().get(next++).remaining() < PLENTY * out.limit().capacity()) {
          return true;
        }
      }
    }
    return false;
  }

  /** The wait until more can be leased, if as many permits are out as may be; otherwise 0. */
  long waitForOthersMicros(Verdicts answer) {
    long wait = 0;
    for (Verdict verdict : answer.each().subList(terms.size(), answer.each().size())) {
      wait = Math.max(wait, verdict.fits() ? 0 : verdict.retryAfterMicros());
    }
    return Math.min(wait, lifeMicros);
  }
}
