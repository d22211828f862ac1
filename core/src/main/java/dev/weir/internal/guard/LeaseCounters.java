package dev.weir.internal.guard;

import dev.weir.LeaseStatus;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** What leases have done since the start. Safe for many threads. */
final class LeaseCounters {
  /** Calls to the store for a lease. */
  final LongAdder calls = new LongAdder();

  /** Requests that were allowed without a call. */
  final LongAdder allowed = new LongAdder();

  /** Requests that were denied without a call. */
  final LongAdder denied = new LongAdder();

  /** Permits that were leased. */
  final LongAdder leased = new LongAdder();

  /** Permits that were given back unspent. */
  final LongAdder returned = new LongAdder();

  /**
   * Permits whose lease ended before they were spent; those of a bucket have refilled meanwhile.
   */
  final LongAdder expired = new LongAdder();

  LeaseStatus status(List<LeaseStatus.Held> held) {
    return new LeaseStatus(
        calls.sum(),
        allowed.sum(),
        denied.sum(),
        leased.sum(),
        returned.sum(),
        expired.sum(),
        held);
  }
}
