package dev.weir;

/** What a claim's answer is when the store cannot give one. */
public enum FailurePolicy {
  /** The request passes uncounted. */
  ALLOW,
  /** The request is denied. */
  DENY,
  /** The caller gets a {@link StoreUnavailableException} and decides. */
  ERROR
}
