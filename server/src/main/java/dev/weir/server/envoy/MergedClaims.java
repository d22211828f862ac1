package dev.weir.server.envoy;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Mode;
import dev.weir.Outcome;
import dev.weir.rules.DescriptorRate;
import java.util.ArrayList;
import java.util.List;

/**
 * The claims of the descriptors that are taken together. Claims on the same state are merged into
 * one, and each descriptor is answered as if they had been asked one after the other. Not safe for
 * many threads.
 *
 * <p>Ordinary descriptors on one state are taken all together or not at all. Of quotas and of
 * descriptors in shadow mode, which need not fit, as many as fit are taken, the first ones first:
 * {@link #shorten} leaves out the others.
 */
final class MergedClaims {
  private final List<MergedPart> parts = new ArrayList<>();
  private final List<Claim> claims = new ArrayList<>();

  /** One rate of a line: the index of its claim, and the sum of permits up to and including it. */
  private record MergedPart(LimitedDescriptor line, int rate, int claim, long upTo) {}

  /**
   * @param optional whether the line need not fit, so that it is counted but cannot deny
   */
  void add(LimitedDescriptor line, boolean optional) {
    for (int rate = 0; rate < line.claims.size(); rate++) {
      Claim given = line.claims.get(rate);
      Claim claim = optional ? DescriptorQuestions.optional(given) : given;
      int known = find(claim);
      if (known == claims.size()) {
        claims.add(claim);
        parts.add(new MergedPart(line, rate, claims.size() - 1, claim.permits()));
      } else {
        Claim sum = sum(claims.get(known), claim);
        claims.set(known, sum);
        parts.add(new MergedPart(line, rate, known, sum.permits()));
      }
    }
  }

  /** The index of the claim on the same state, or the number of claims if there is none. */
  private int find(Claim claim) {
    int place = 0; // no map: calls have few descriptors
    while (place < claims.size() && !claims.get(place).sameState(claim)) {
      place++;
    }
    return place;
  }

  /** If limits of requests differ for one state, the smaller one holds for both. */
  private static Claim sum(Claim one, Claim other) {
    boolean first = one.policy().limit().permits() <= other.policy().limit().permits();
    long permits = one.permits() + other.permits();
    return new Claim(
        first ? one.policy() : other.policy(), one.key(), permits < 0 ? Long.MAX_VALUE : permits);
  }

  boolean isEmpty() {
    return claims.isEmpty();
  }

  /** Whether several descriptors that need not fit are on one state. */
  boolean mayFitInPart() {
    for (MergedPart part : parts) {
      Claim claim = claims.get(part.claim);
      if (!isRequired(claim) && part.upTo < claim.permits()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Leaves out descriptors that need not fit, and do not.
   *
   * @param peeked what the store says about all of them, taking nothing
   */
  void shorten(Decision peeked) {
    for (int i = 0; i < claims.size(); i++) {
      Claim claim = claims.get(i);
      Outcome outcome = peeked.outcomes().get(i);
      if (!isRequired(claim) && !outcome.allowed() && outcome.stateKnown() && !claim.isBlocked()) {
        claims.set(i, new Claim(claim.policy(), claim.key(), fitting(i, outcome.remaining())));
      }
    }
  }

  /** The permits of the first descriptors on one state that fit; of the very first if none does. */
  private long fitting(int claim, long remaining) {
    long permits = 0;
    for (MergedPart part : parts) {
      if (part.claim == claim && (permits == 0 || part.upTo <= remaining)) {
        permits = part.upTo;
      }
    }
    return permits;
  }

  private static boolean isRequired(Claim claim) {
    return claim.policy().mode() == Mode.ENFORCE;
  }

  List<Claim> claims() {
    return claims;
  }

  /**
   * Tells each line what became of its rates.
   *
   * @param taken whether the claims that fit were taken
   */
  void answer(Decision decision, boolean taken) {
    for (MergedPart part : parts) {
      Outcome outcome = decision.outcomes().get(part.claim);
      Claim claim = outcome.claim();
      boolean all = outcome.allowed();
      long asked = Math.min(part.upTo, claim.permits());
      boolean leftOut = asked < part.upTo;
      DescriptorRate rate = part.line.rate(part.rate);
      long left = RateOutcome.left(rate, outcome);
      long atFirst = all && taken ? left + claim.permits() : left;
      long before = atFirst - asked + (leftOut ? 0 : part.line.hits);
      long now = all && taken ? atFirst - asked : left;
      boolean fits = !leftOut && (all || fitsBySelf(part, outcome));
      part.line.add(new RateOutcome(rate, fits, now, Math.max(0, before), outcome));
    }
  }

  /** Whether an ordinary descriptor would have fitted without those behind it. */
  private static boolean fitsBySelf(MergedPart part, Outcome outcome) {
    Claim claim = outcome.claim();
    return isRequired(claim)
        && !claim.isBlocked()
        && outcome.stateKnown()
        && part.upTo <= outcome.remaining();
  }
}
