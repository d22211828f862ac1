package dev.weir;

/** Whether a policy can deny. */
public enum Mode {
  /** A request that does not fit is denied. */
  ENFORCE,
  /** Counts as if enforced and never denies: for trying a limit on live traffic. */
  SHADOW
}
