package dev.weir.redis.internal.script;

import dev.weir.Claim;
import dev.weir.redis.internal.connection.Topology;
import dev.weir.redis.internal.protocol.KeyNames;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Groups claims by the hash slots of a Cluster; a single server counts as one hash slot. Safe for
 * many threads.
 */
public final class HashSlotGroups {
  /** Used when all claims go in one call, so their indexes are not needed. */
  private static final List<List<Integer>> ONE_SLOT = List.of(List.of());

  private final Topology topology;
  private final KeyNames names;

  public HashSlotGroups(Topology topology, KeyNames names) {
    this.topology = topology;
    this.names = names;
  }

  /** The indexes of the claims by hash slot; a single empty group if all are in one. */
  public List<List<Integer>> of(List<Claim> claims) {
    return claims.size() == 1 || !topology.isSpread() ? ONE_SLOT : bySlot(claims);
  }

  /** The indexes of the claims by hash slot. */
  List<List<Integer>> each(List<Claim> claims) {
    return topology.isSpread()
        ? bySlot(claims)
        : List.of(IntStream.range(0, claims.size()).boxed().toList());
  }

  /** The claims by hash slot. */
  public Stream<List<Claim>> claimsOf(List<Claim> claims) {
    return each(claims).stream().map(places -> places.stream().map(claims::get).toList());
  }

  private List<List<Integer>> bySlot(List<Claim> claims) {
    Map<Integer, List<Integer>> slots = new LinkedHashMap<>();
    for (int i = 0; i < claims.size(); i++) {
      int slot = names.slot(claims.get(i));
      slots.computeIfAbsent(slot, s -> new ArrayList<>()).add(i);
    }
    return List.copyOf(slots.values());
  }
}
