package dev.weir.internal;

import dev.weir.Claim;
import dev.weir.Policy;
import dev.weir.Receipt.Grant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/** Merges grants of the same state and time, and groups grants by their times. */
public final class Grants {
  private Grants() {}

  /** The grants, each state and time once, with its permits added up. */
  public static List<Grant> merged(List<Grant> grants) {
    Check.notNull("grants", grants);
    if (grants.isEmpty()) {
      throw new IllegalArgumentException("grants must not be empty");
    }
    if (grants.size() == 1) {
      return List.copyOf(grants);
    }
    List<Grant> merged = new ArrayList<>(grants.size());
    placesByTime(grants)
        .forEach(
            (at, places) ->
                Claims.merged(claimsAt(grants, places))
                    .forEach(claim -> merged.add(new Grant(claim, at))));
    return merged.size() == grants.size() ? List.copyOf(grants) : List.copyOf(merged);
  }

  /** The indexes of the grants, time by time: at one time no two of them draw on one state. */
  public static Map<OptionalLong, List<Integer>> placesByTime(List<Grant> grants) {
    Map<OptionalLong, List<Integer>> places = new LinkedHashMap<>();
    for (int i = 0; i < grants.size(); i++) {
      places.computeIfAbsent(grants.get(i).atMicros(), at -> new ArrayList<>()).add(i);
    }
    return places;
  }

  /** Whether two of the grants draw on one state, at different times. */
  public static boolean repeatState(List<Grant> grants) {
    Set<List<String>> states = new HashSet<>();
    for (Grant grant : grants) {
      Policy policy = grant.claim().policy();
      if (!states.add(List.of(policy.rule(), policy.name(), grant.claim().key()))) {
        return true;
      }
    }
    return false;
  }

  public static List<Claim> claimsAt(List<Grant> grants, List<Integer> places) {
    return places.stream().map(place -> grants.get(place).claim()).toList();
  }
}
