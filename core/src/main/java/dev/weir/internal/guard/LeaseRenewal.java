package dev.weir.internal.guard;

/**
 * When to request the next lease: a few requests and a few round trips before the last one is spent
 * or ends, so that callers do not wait. Not much earlier, because leases that overlap cost calls.
 * Not safe for many threads.
 *
 * <p>With 125 requests per second, a life of 500 ms and a round trip of 0.3 ms, the lead is 24 ms:
 * three requests.
 */
final class LeaseRenewal {
  private static final double REQUESTS_AHEAD = 3;
  private static final double ROUND_TRIPS_AHEAD = 4;
  private static final double LEAST_OF_LIFE_AHEAD = 1 / 32.0;

  /** Bounds the calls of a key with few requests, or over a slow store. */
  private static final double MOST_OF_LIFE_AHEAD = 1 / 4.0;

  private static final double WEIGHT_OF_LAST = 1 / 8.0;

  private final double lifeNanos;
  private double roundTripNanos;
  private long leadNanos;
  private long lowRequests;

  LeaseRenewal(double lifeNanos) {
    this.lifeNanos = lifeNanos;
  }

  /**
   * Plans the next request after the answer to the last.
   *
   * @param tookNanos the round trip of that answer
   * @param perSecond requests per second on this instance
   */
  void plan(long tookNanos, double perSecond) {
    double smoothed = roundTripNanos + WEIGHT_OF_LAST * (tookNanos - roundTripNanos);
    roundTripNanos = Math.max(tookNanos, smoothed); // a slow answer counts at once
    double requests = REQUESTS_AHEAD * 1e9 / perSecond;
    double needed = Math.max(requests, ROUND_TRIPS_AHEAD * roundTripNanos);
    double lead = Math.max(needed, LEAST_OF_LIFE_AHEAD * lifeNanos);
    leadNanos = (long) Math.min(lead, MOST_OF_LIFE_AHEAD * lifeNanos);
    lowRequests = (long) Math.ceil(leadNanos * perSecond / 1e9);
  }

  /** How long before the end of its permits a lease is renewed. */
  long leadNanos() {
    return leadNanos;
  }

  /** A lease is renewed when permits for fewer requests than this are left. */
  long lowRequests() {
    return lowRequests;
  }
}
