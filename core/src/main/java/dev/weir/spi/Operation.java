package dev.weir.spi;

/** What to do with the permits a question names. */
public enum Operation {
  /** Take all or nothing. */
  ACQUIRE,
  /** Say what acquiring would answer, and take nothing. */
  PEEK,
  /** Take always, into debt of at most one capacity. */
  CHARGE
}
