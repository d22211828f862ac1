package dev.weir.internal;

import dev.weir.Claim;
import dev.weir.Policy;
import dev.weir.Receipt.Grant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;

/** Merges grants of the same state and decision, and groups grants by their decisions. */
public final class Grants {
  private Grants() {}

  /** The time and the holder that all grants of one decision have in common. */
  public record Origin(OptionalLong atMicros, Optional<UUID> holder) {
    static Origin of(Grant grant) {
      return new Origin(grant.atMicros(), grant.holder());
    }
  }

  /** The grants, each state of a decision once, with its permits added up. */
  public static List<Grant> merged(List<Grant> grants) {
    Check.notNull("grants", grants);
    if (grants.isEmpty()) {
      throw new IllegalArgumentException("grants must not be empty");
    }
    return grants.size() == 1 ? List.copyOf(grants) : mergedStates(ofOneHolder(grants));
  }

  /**
   * Only a receipt of one decision can be settled. In others, only grants of slots keep holders.
   */
  private static List<Grant> ofOneHolder(List<Grant> grants) {
    Optional<UUID> first = grants.get(0).holder();
    return grants.stream().allMatch(grant -> grant.holder().equals(first))
        ? grants
        : grants.stream()
            .map(grant -> grant.ofSlots() ? grant : new Grant(grant.claim(), grant.atMicros()))
            .toList();
  }

  private static List<Grant> mergedStates(List<Grant> grants) {
    List<Grant> merged = new ArrayList<>(grants.size());
    placesByOrigin(grants)
        .forEach(
            (origin, places) ->
                Claims.merged(claimsAt(grants, places))
                    .forEach(
                        claim -> merged.add(new Grant(claim, origin.atMicros(), origin.holder()))));
    return merged.size() == grants.size() ? List.copyOf(grants) : List.copyOf(merged);
  }

  /** The indexes of the grants by origin. Within one origin, no two draw on the same state. */
  public static Map<Origin, List<Integer>> placesByOrigin(List<Grant> grants) {
    Map<Origin, List<Integer>> places = new LinkedHashMap<>();
    for (int i = 0; i < grants.size(); i++) {
      places.computeIfAbsent(Origin.of(grants.get(i)), origin -> new ArrayList<>()).add(i);
    }
    return places;
  }

  /** Whether two of the grants draw on the same state, at different times. */
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
