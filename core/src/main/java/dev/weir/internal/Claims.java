package dev.weir.internal;

import dev.weir.Claim;
import dev.weir.Policy;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Merges claims that draw on the same state. */
public final class Claims {
  /** The most claims of one question; every store refuses more. */
  public static final int MAX_CLAIMS = 1_000;

  /** Up to this many claims are compared pairwise, without a map. */
  private static final int FEW = 8;

  private Claims() {}

  private record StateName(String rule, String name, String key) {}

  /** The claims in their order, each state once, with its permits added up. */
  public static List<Claim> merged(List<Claim> claims) {
    Check.notNull("claims", claims);
    if (claims.isEmpty()) {
      throw new IllegalArgumentException("claims must not be empty");
    }
    if (claims.size() <= FEW && areDistinct(claims)) {
      return List.copyOf(claims);
    }
    Map<StateName, Claim> merged = new LinkedHashMap<>(2 * claims.size());
    for (Claim claim : claims) {
      Policy policy = claim.policy();
      merged.merge(new StateName(policy.rule(), policy.name(), claim.key()), claim, Claims::sum);
    }
    if (merged.size() > MAX_CLAIMS) {
      throw new IllegalArgumentException(
          "claims must be at most " + MAX_CLAIMS + " in one question, was " + merged.size());
    }
    return List.copyOf(merged.values());
  }

  private static boolean areDistinct(List<Claim> claims) {
    for (int i = 1; i < claims.size(); i++) {
      for (int j = 0; j < i; j++) {
        if (claims.get(i).sameState(claims.get(j))) {
          return false;
        }
      }
    }
    return true;
  }

  private static Claim sum(Claim a, Claim b) {
    if (!a.policy().equals(b.policy())) {
      throw new IllegalArgumentException(
          "claims must agree on policy "
              + a.policy().rule()
              + "/"
              + a.policy().name()
              + ", was given in two versions");
    }
    long permits = a.permits() + b.permits();
    return new Claim(a.policy(), a.key(), permits < 0 ? Long.MAX_VALUE : permits);
  }
}
