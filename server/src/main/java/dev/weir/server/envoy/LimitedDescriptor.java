package dev.weir.server.envoy;

import dev.weir.Claim;
import dev.weir.Mode;
import dev.weir.rules.DescriptorMatch;
import dev.weir.rules.DescriptorRate;
import java.util.ArrayList;
import java.util.List;

/**
 * A descriptor that matched a limit, what it does with its hits, and its answers. Not safe for many
 * threads.
 */
final class LimitedDescriptor {
  /** What a descriptor does with its hits. */
  enum Kind {
    /** Takes them together with all others of this kind, or none takes. */
    TAKE,
    /** Takes them always, into bounded debt. */
    CHARGE,
    /** Asks whether anything is left. */
    ASK,
    /** Gives them back. */
    GIVE_BACK
  }

  final int place;
  final DescriptorMatch match;
  final Kind kind;
  final long hits;
  final boolean quota;
  final List<Claim> claims;
  final List<RateOutcome> answers;

  /**
   * @param claims one per rate, with admin blocks applied
   */
  LimitedDescriptor(
      int place, DescriptorMatch match, Kind kind, long hits, boolean quota, List<Claim> claims) {
    this.place = place;
    this.match = match;
    this.kind = kind;
    this.hits = hits;
    this.quota = quota;
    this.claims = claims;
    this.answers = new ArrayList<>(claims.size());
  }

  static Kind kind(RateLimitCall.Descriptor descriptor, boolean countOverLimit) {
    if (descriptor.negative()) {
      return Kind.GIVE_BACK;
    }
    if (countOverLimit) {
      return Kind.CHARGE;
    }
    if (descriptor.hits() == null) {
      return Kind.TAKE;
    }
    return descriptor.hits() == 0 ? Kind.ASK : Kind.CHARGE;
  }

  /**
   * The claims that the store is asked with.
   *
   * @param allQuotas whether every limit is a quota
   */
  static List<Claim> claims(DescriptorMatch match, Kind kind, long hits, boolean allQuotas) {
    List<Claim> claims = match.claims(kind == Kind.ASK ? 1 : hits);
    if (!allQuotas || match.limit().shadow() || claims.size() > 1) {
      return claims;
    }
    Claim only = claims.get(0);
    return List.of(new Claim(only.policy().withMode(Mode.QUOTA), only.key(), only.permits()));
  }

  void add(RateOutcome answer) {
    answers.add(answer);
  }

  DescriptorRate rate(int index) {
    return match.limit().rates().get(index);
  }

  /** Whether all of its rates fit. */
  boolean fits() {
    for (RateOutcome answer : answers) {
      if (!answer.fits()) {
        return false;
      }
    }
    return true;
  }

  boolean shadow() {
    return match.limit().shadow();
  }

  /** Whether it denies the request by itself. */
  boolean denies() {
    return !quota && !shadow() && !fits();
  }
}
