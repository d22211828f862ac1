package dev.weir.server.envoy;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Outcome;
import dev.weir.rules.DescriptorRate;
import java.util.ArrayList;
import java.util.List;

/**
 * The claims of the descriptors that are taken together. Claims on the same state are merged into
 * one, and each descriptor is answered as if they had been asked one after the other. Not safe for
 * many threads.
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
      boolean fits =
          all || !claim.isBlocked() && outcome.stateKnown() && part.upTo <= outcome.remaining();
      DescriptorRate rate = part.line.rate(part.rate);
      long left = RateOutcome.left(rate, outcome);
      long atFirst = all && taken ? left + claim.permits() : left;
      long before = atFirst - part.upTo + part.line.hits;
      long now = all && taken ? atFirst - part.upTo : left;
      part.line.add(new RateOutcome(rate, fits, now, Math.max(0, before), outcome));
    }
  }
}
