package dev.weir.internal;

import dev.weir.Claim;
import java.util.ArrayList;
import java.util.List;

/** Makes one claim of those that draw on the same state. */
public final class Claims {
  private Claims() {}

  /** The claims in their order, each state once, with its permits added up. */
  public static List<Claim> merged(List<Claim> claims) {
    Check.notNull("claims", claims);
    if (claims.isEmpty()) {
      throw new IllegalArgumentException("claims must not be empty");
    }
    if (claims.size() == 1) {
      return List.copyOf(claims);
    }
    List<Claim> merged = new ArrayList<>(claims.size());
    for (Claim claim : claims) {
      merge(merged, claim);
    }
    return List.copyOf(merged);
  }

  private static void merge(List<Claim> merged, Claim claim) {
    for (int i = 0; i < merged.size(); i++) {
      Claim earlier = merged.get(i);
      if (earlier.sameState(claim)) {
        merged.set(i, sum(earlier, claim));
        return;
      }
    }
    merged.add(claim);
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
