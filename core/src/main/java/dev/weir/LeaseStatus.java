package dev.weir;

import java.time.Duration;
import java.util.List;

/**
 * What this instance has leased, and what leases have done since the start. Immutable.
 *
 * @param calls requests to the store for a lease
 * @param allowed requests that were allowed by a lease
 * @param denied requests that were denied here, until the store is asked again
 * @param leased permits that were taken in advance
 * @param returned permits that went back to the store unspent
 * @param expired permits whose lease ended before they were spent; those of a token bucket had
 *     refilled by then
 * @param held what can be spent now
 */
public record LeaseStatus(
    long calls,
    long allowed,
    long denied,
    long leased,
    long returned,
    long expired,
    List<Held> held) {
  public LeaseStatus {
    held = List.copyOf(held);
  }

  /**
   * Permits of one key.
   *
   * @param unspent how many
   * @param left for how long they can be spent at most
   */
  public record Held(Policy policy, String key, long unspent, Duration left) {}
}
