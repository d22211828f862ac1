package dev.weir;

/** Whether, and how, a policy can deny. */
public enum Mode {
  /** A request that does not fit is denied. */
  ENFORCE,
  /** Counts as if enforced and never denies: for trying a limit on live traffic. */
  SHADOW,
  /**
   * One of several sources to draw on: of all quota claims of a request at least one must fit.
   * Those that fit take, those that do not are passed over; if none fits, the request is denied.
   */
  QUOTA
}
