package dev.weir;

/** What a claim's answer is when the store cannot give one. */
public enum FailurePolicy {
  /** The request passes uncounted. */
  ALLOW,
  /** The request is denied. */
  DENY,
  /**
   * This instance's share of the limit answers, in process: the limit divided by the number of
   * instances, rounded down. Needs a {@link GuardedStore}; denied while that number is not known.
   *
   * <p>What was used locally is charged to the store when it can be reached again. All outages
   * within one window (for a token bucket: within the time it takes to refill) together hand out
   * one share per instance: so all instances admit at most what the store had admitted before plus
   * one limit. An instance that is restarted during an outage has forgotten its share and hands out
   * at most one share more per restart.
   */
  LOCAL,
  /** The caller gets a {@link StoreUnavailableException} and decides. */
  ERROR
}
