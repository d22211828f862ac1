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
   */
  LOCAL,
  /** The caller gets a {@link StoreUnavailableException} and decides. */
  ERROR
}
