package dev.weir.internal.guard;

import dev.weir.Claim;
import dev.weir.internal.arithmetic.SplitLimit;
import dev.weir.spi.Verdict;
import dev.weir.spi.Verdicts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Replaces claims on split keys by claims on their parts, and combines the answers of the parts.
 * Not safe for many threads.
 */
final class SplitClaims {
  private final List<Claim> whole;
  private final List<Claim> parts = new ArrayList<>();

  /** For each whole claim, the index of its first part; the last element is the number of parts. */
  private final int[] starts;

  private SplitClaims(List<Claim> whole) {
    this.whole = whole;
    this.starts = new int[whole.size() + 1];
  }

  private interface Division {
    void divide(Claim claim, int place, List<Claim> parts);
  }

  private static SplitClaims of(List<Claim> whole, Division division) {
    SplitClaims divided = new SplitClaims(whole);
    for (int i = 0; i < whole.size(); i++) {
      Claim claim = whole.get(i);
      if (KeyPart.isSplit(claim)) {
        division.divide(claim, i, divided.parts);
      } else {
        divided.parts.add(claim);
      }
      divided.starts[i + 1] = divided.parts.size();
    }
    return divided;
  }

  static boolean areAny(List<Claim> claims) {
    for (int i = 0; i < claims.size(); i++) {
      if (KeyPart.isSplit(claims.get(i))) {
        return true;
      }
    }
    return false;
  }

  /** Replaces each claim by the one part that decides for the holder. */
  static SplitClaims chosen(List<Claim> whole, Optional<UUID> holder) {
    return of(whole, (claim, place, parts) -> addChosen(claim, holder, parts));
  }

  static void addChosen(Claim claim, Optional<UUID> holder, List<Claim> parts) {
    parts.add(KeyPart.claim(claim, KeyPart.chosen(claim, holder), claim.permits()));
  }

  /** Replaces each claim by all its parts, each with the permits of the whole claim. */
  static SplitClaims all(List<Claim> whole) {
    return of(
        whole,
        (claim, place, parts) -> {
          for (int part = 0; part < claim.policy().split(); part++) {
            parts.add(KeyPart.claim(claim, part, claim.permits()));
          }
        });
  }

  /** Divides the permits of each claim evenly over its parts, beginning with a random one. */
  static SplitClaims spread(List<Claim> whole) {
    return of(whole, (claim, place, parts) -> addSpread(claim, parts));
  }

  /** For grants: a holder names the part; the permits of a grant without one are divided. */
  static SplitClaims granted(List<Claim> whole, List<Optional<UUID>> holders) {
    return of(
        whole,
        (claim, place, parts) -> {
          if (holders.get(place).isPresent()) {
            addChosen(claim, holders.get(place), parts);
          } else {
            addSpread(claim, parts);
          }
        });
  }

  private static void addSpread(Claim claim, List<Claim> parts) {
    int count = claim.policy().split();
    int first = ThreadLocalRandom.current().nextInt(count);
    for (int i = 0; i < count; i++) {
      long share = SplitLimit.share(claim.permits(), i, count);
      if (share > 0 || i == 0) {
        parts.add(KeyPart.claim(claim, (first + i) % count, share));
      }
    }
  }

  List<Claim> parts() {
    return parts;
  }

  /** The index of the whole claim that a part belongs to. */
  int wholeOf(int part) {
    int place = 0;
    while (starts[place + 1] <= part) {
      place++;
    }
    return place;
  }

  /** The answer for the whole claims, if one part decided for each. */
  Verdicts ofChosen(Verdicts answer) {
    return new Verdicts(answer.allowed(), combined(answer, false), answer.repeatOf());
  }

  /** The answer for the whole claims: each fits if any of its parts fits. */
  Verdicts ofAny(Verdicts answer) {
    List<Verdict> each = combined(answer, true);
    boolean allowed = true;
    for (int i = 0; i < each.size(); i++) {
      boolean denies = !each.get(i).fits() && !each.get(i).isFailure();
      allowed &= !(denies && whole.get(i).policy().enforced());
    }
    return new Verdicts(allowed, each);
  }

  private List<Verdict> combined(Verdicts answer, boolean anyIsEnough) {
    List<Verdict> each = new ArrayList<>(whole.size());
    for (int i = 0; i < whole.size(); i++) {
      List<Verdict> own = answer.each().subList(starts[i], starts[i + 1]);
      boolean isSplit = KeyPart.isSplit(whole.get(i));
      each.add(isSplit ? combined(i, own, anyIsEnough) : own.get(0));
    }
    return each;
  }

  private Verdict combined(int place, List<Verdict> own, boolean anyIsEnough) {
    Verdict sum = null;
    long capacity = 0;
    for (int i = 0; i < own.size(); i++) {
      Verdict verdict = own.get(i);
      if (verdict.isFailure()) {
        return verdict;
      }
      capacity += parts.get(starts[place] + i).policy().limit().capacity();
      sum = sum == null ? verdict : sum(sum, verdict, anyIsEnough);
    }
    return sum.fits() ? extrapolated(sum, capacity, whole.get(place)) : sum;
  }

  private static Verdict sum(Verdict a, Verdict b, boolean anyIsEnough) {
    return new Verdict(
        Math.max(a.atMicros(), b.atMicros()),
        anyIsEnough ? a.fits() || b.fits() : a.fits() && b.fits(),
        a.remaining() + b.remaining(),
        anyIsEnough
            ? Math.min(a.retryAfterMicros(), b.retryAfterMicros())
            : Math.max(a.retryAfterMicros(), b.retryAfterMicros()),
        Math.max(a.resetAfterMicros(), b.resetAfterMicros()),
        a.source() == b.source() ? a.source() : b.source(),
        null);
  }

  /** Denials are not extrapolated: the part would deny a request for the extrapolated rest. */
  private static Verdict extrapolated(Verdict sum, long capacitySeen, Claim whole) {
    long capacity = whole.policy().limit().capacity();
    return new Verdict(
        sum.atMicros(),
        true,
        SplitLimit.extrapolated(sum.remaining(), capacitySeen, capacity),
        sum.retryAfterMicros(),
        sum.resetAfterMicros(),
        sum.source(),
        null);
  }
}
