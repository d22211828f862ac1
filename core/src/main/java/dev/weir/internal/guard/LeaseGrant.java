package dev.weir.internal.guard;

import dev.weir.Claim;
import dev.weir.Receipt.Grant;
import dev.weir.internal.arithmetic.LeaseTerm;
import dev.weir.spi.LeaseAnswer;
import dev.weir.spi.Question;
import dev.weir.spi.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** The permits of one lease, for all claims of a question. Not safe for many threads. */
final class LeaseGrant {
  private final List<Claim> claims;
  private final LeaseTerm[] terms;
  private final long[] unspent;
  private final long sentNanos;
  private final long answeredNanos;

  /**
   * @param question that was asked several times over, and granted at least once
   * @param sentNanos a time before the question was sent
   */
  LeaseGrant(Question question, LeaseAnswer answer, long sentNanos, long answeredNanos) {
    this.claims = question.claims();
    this.terms = new LeaseTerm[claims.size()];
    this.unspent = new long[claims.size()];
    this.sentNanos = sentNanos;
    this.answeredNanos = answeredNanos;
    for (int i = 0; i < terms.length; i++) {
      Claim claim = claims.get(i);
      Verdict verdict = answer.verdicts().each().get(i);
      unspent[i] = claim.permits() * answer.granted();
      terms[i] =
          LeaseTerm.of(
              claim.policy().limit(), unspent[i], verdict.atMicros(), verdict.resetAfterMicros());
    }
  }

  /** Takes the permits of all claims, or of none; whether it did. */
  boolean take(List<Claim> asked, long nowNanos) {
    if (!fits(asked, nowNanos)) {
      return false;
    }
    for (int i = 0; i < unspent.length; i++) {
      unspent[i] = unspent(i, nowNanos) - asked.get(i).permits();
    }
    return true;
  }

  boolean fits(List<Claim> asked, long nowNanos) {
    for (int i = 0; i < unspent.length; i++) {
      if (unspent(i, nowNanos) < asked.get(i).permits()) {
        return false;
      }
    }
    return true;
  }

  /** Permits of a claim that may still be spent. */
  long unspent(int claim, long nowNanos) {
    return Math.max(0, Math.min(unspent[claim], terms[claim].spendable(elapsedMicros(nowNanos))));
  }

  /** Whether a claim has nothing left, so that no question can be served. */
  boolean isSpent(long nowNanos) {
    for (int i = 0; i < unspent.length; i++) {
      if (unspent(i, nowNanos) == 0) {
        return true;
      }
    }
    return false;
  }

  /** Permits that were neither spent nor given back, of all claims. */
  long leftOver() {
    long sum = 0;
    for (long permits : unspent) {
      sum += permits;
    }
    return sum;
  }

  /** Whether less than a quarter is left of what was leased. */
  boolean isLow(long nowNanos) {
    for (int i = 0; i < unspent.length; i++) {
      if (unspent(i, nowNanos) < (terms[i].permits() + 3) / 4) {
        return true;
      }
    }
    return false;
  }

  boolean isOver(long nowNanos) {
    return nowNanos - endsNanos() >= 0;
  }

  /** Until when something can be spent. */
  long endsNanos() {
    long life = Long.MAX_VALUE;
    for (LeaseTerm term : terms) {
      life = Math.min(life, term.lifeMicros());
    }
    return sentNanos + Math.max(0, Math.min(life, Long.MAX_VALUE / 2000) * 1000);
  }

  /** The time that a receipt of spent permits has. */
  long receiptMicros(int claim) {
    return terms[claim].receiptMicros();
  }

  /** Takes spent permits back, if they were spent from this lease; whether they were. */
  boolean putBack(List<Grant> grants) {
    for (int i = 0; i < unspent.length; i++) {
      OptionalLong at = grants.get(i).atMicros();
      if (at.isEmpty() || at.getAsLong() != receiptMicros(i)) {
        return false;
      }
    }
    for (int i = 0; i < unspent.length; i++) {
      unspent[i] = Math.min(unspent[i] + grants.get(i).claim().permits(), terms[i].permits());
    }
    return true;
  }

  /** What can be given back to the store, and is gone from here afterwards. */
  List<Grant> drain(long nowNanos) {
    List<Grant> grants = new ArrayList<>(terms.length);
    for (int i = 0; i < terms.length; i++) {
      long left = unspent(i, nowNanos);
      if (left > 0) {
        Claim claim = claims.get(i);
        long at = terms[i].returnMicros(left, (nowNanos - answeredNanos) / 1000);
        grants.add(new Grant(new Claim(claim.policy(), claim.key(), left), OptionalLong.of(at)));
      }
      unspent[i] = 0;
    }
    return grants;
  }

  private long elapsedMicros(long nowNanos) {
    return (nowNanos - sentNanos + 999) / 1000;
  }
}
