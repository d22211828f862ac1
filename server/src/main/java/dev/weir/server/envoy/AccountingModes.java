package dev.weir.server.envoy;

/**
 * How all domains are counted.
 *
 * @param shadow the overall code is always OK; statuses still say OVER_LIMIT
 * @param quota every limit is a quota
 * @param countOverLimit denied requests count, too, as in the reference service
 */
public record AccountingModes(boolean shadow, boolean quota, boolean countOverLimit) {
  public static final AccountingModes USUAL = new AccountingModes(false, false, false);
}
