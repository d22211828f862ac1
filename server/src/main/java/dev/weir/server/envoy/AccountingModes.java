package dev.weir.server.envoy;

/**
 * How all domains are counted.
 *
 * @param shadow nothing is refused; statuses show what would have been
 * @param quota every limit is a quota
 * @param countOverLimit refused requests count, too, as in the reference service
 */
public record AccountingModes(boolean shadow, boolean quota, boolean countOverLimit) {
  public static final AccountingModes USUAL = new AccountingModes(false, false, false);
}
