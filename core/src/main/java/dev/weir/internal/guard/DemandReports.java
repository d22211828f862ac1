package dev.weir.internal.guard;

import dev.weir.Claim;
import dev.weir.spi.Question;
import dev.weir.spi.Verdict;

/**
 * Decides when this instance reports its requests to the others, and keeps the answer: the requests
 * of all. Shares matter only while permits are scarce, so nothing is reported otherwise. Not safe
 * for many threads.
 */
final class DemandReports {
  private final FleetDemand fleetDemand;
  private final long periodNanos;
  private long reportedNanos;
  private double ofAllPerSecond;
  private boolean isScarce;

  /**
   * @param limited the claim whose requests are counted
   * @param periodNanos of the lease
   */
  DemandReports(Claim limited, long periodNanos, long nowNanos) {
    this.fleetDemand = new FleetDemand(limited, periodNanos);
    this.periodNanos = periodNanos;
    this.reportedNanos = nowNanos - periodNanos;
  }

  /** Requests per second on all instances when this one last reported; 0 if it never did. */
  double ofAllPerSecond() {
    return ofAllPerSecond;
  }

  /** Notes whether the last lease was not granted whole, or left little. */
  void noteScarcity(boolean isScarceNow) {
    isScarce = isScarceNow;
  }

  /**
   * The requests to report; 0 if no report is needed, or it is too early for the next.
   *
   * @param isDenied whether the limit is reached; shares matter most then
   * @param isShareSmall whether this instance would lease more if its share were larger
   */
  long due(RequestRate requests, boolean isDenied, boolean isShareSmall, long nowNanos) {
    long sinceLast = nowNanos - reportedNanos;
    boolean isNeeded = isScarce || isDenied || isShareSmall;
    if (!isNeeded || sinceLast < (isDenied ? periodNanos / 2 : periodNanos)) {
      return 0;
    }
    reportedNanos = nowNanos;
    long unreported = requests.takeUnreported();
    long ofPeriod = Math.round(requests.perSecond(nowNanos) * periodNanos / 1e9);
    return sinceLast > 2 * periodNanos ? Math.min(unreported, ofPeriod) : unreported;
  }

  /** The question that reports these requests. */
  Question question(long requests) {
    return fleetDemand.report(requests);
  }

  void answered(Verdict verdict) {
    if (!verdict.isFailure()) {
      ofAllPerSecond = fleetDemand.perSecond(verdict);
    }
  }
}
