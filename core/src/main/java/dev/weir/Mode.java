package dev.weir;

/** Whether, and how, a policy can deny. */
public enum Mode {
  /** A request that does not fit is denied. */
  ENFORCE,
  /** Counts as if enforced and never denies: for trying a limit on live traffic. */
  SHADOW,
  /**
   * One of several quotas, of which a request needs at least one. Those that fit take their
   * permits, the others take nothing; if none fits, the request is denied.
   */
  QUOTA
}
