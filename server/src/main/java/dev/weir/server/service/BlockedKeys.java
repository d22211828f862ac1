package dev.weir.server.service;

import dev.weir.Claim;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Keys that an administrator has blocked, each in one limit and until some time. Safe for many
 * threads.
 */
public final class BlockedKeys {
  /** Without end. */
  public static final long FOREVER = Long.MAX_VALUE;

  private static final int MAX_BLOCKS = 100_000;

  private final Map<Key, Long> untilMillis = new ConcurrentHashMap<>();
  private final LongSupplier nowMillis;

  public BlockedKeys(LongSupplier nowMillis) {
    this.nowMillis = nowMillis;
  }

  /** What is blocked: a key of a limit. */
  public record Key(String rule, String limit, String key) {
    public static Key of(Claim claim) {
      return new Key(claim.policy().rule(), claim.policy().name(), claim.key());
    }
  }

  /**
   * One block.
   *
   * @param untilMillis since 1970, or {@link #FOREVER}
   */
  public record Block(Key key, long untilMillis) {}

  /** The same claims; those on a blocked key can never pass. */
  public List<Claim> applyTo(List<Claim> claims) {
    if (untilMillis.isEmpty()) {
      return claims;
    }
    List<Claim> applied = new ArrayList<>(claims.size());
    for (Claim claim : claims) {
      applied.add(isBlocked(claim) ? Claim.blocked(claim.policy(), claim.key()) : claim);
    }
    return applied;
  }

  private boolean isBlocked(Claim claim) {
    Key key = Key.of(claim);
    Long until = untilMillis.get(key);
    if (until == null) {
      return false;
    }
    boolean ended = nowMillis.getAsLong() >= until;
    if (ended) {
      untilMillis.remove(key, until);
    }
    return !ended;
  }

  /**
   * @throws InvalidRequestException if there are too many already
   */
  void add(Block block) {
    dropEnded();
    if (untilMillis.size() >= MAX_BLOCKS && !untilMillis.containsKey(block.key())) {
      throw new InvalidRequestException(
          "blocks must be at most " + MAX_BLOCKS + ": write them as rules");
    }
    untilMillis.put(block.key(), block.untilMillis());
  }

  void remove(Key key) {
    untilMillis.remove(key);
  }

  void replace(List<Block> blocks) {
    Map<Key, Long> next = new ConcurrentHashMap<>();
    blocks.forEach(block -> next.put(block.key(), block.untilMillis()));
    untilMillis.keySet().retainAll(next.keySet());
    untilMillis.putAll(next);
  }

  /** Those that still hold, in the order of their names. */
  public List<Block> all() {
    dropEnded();
    return untilMillis.entrySet().stream()
        .map(entry -> new Block(entry.getKey(), entry.getValue()))
        .sorted(Comparator.comparing(block -> block.key().toString()))
        .toList();
  }

  public int count() {
    dropEnded();
    return untilMillis.size();
  }

  private void dropEnded() {
    long now = nowMillis.getAsLong();
    untilMillis.values().removeIf(until -> now >= until);
  }
}
