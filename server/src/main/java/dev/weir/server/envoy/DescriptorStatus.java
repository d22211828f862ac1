package dev.weir.server.envoy;

import dev.weir.rules.DescriptorMatch;
import dev.weir.rules.DescriptorRate;
import org.jspecify.annotations.Nullable;

/**
 * The answer for one descriptor. Immutable.
 *
 * @param overLimit whether it is denied; never for a limit in shadow mode
 * @param fits whether it is within its limit, also in shadow mode
 * @param match null if nothing limits the descriptor
 * @param rate the rate that is shown; null if there is none or its state is not known
 * @param hits what it asked for; 0 if it asks only, or gives back
 * @param remaining requests that are left
 * @param before requests that were left before its hits; 0 if that is not known
 * @param resetSeconds when this request would pass if it was denied, else when the limit is fresh
 */
public record DescriptorStatus(
    boolean overLimit,
    boolean fits,
    @Nullable DescriptorMatch match,
    @Nullable DescriptorRate rate,
    long hits,
    long remaining,
    long before,
    long resetSeconds) {

  /** What is sent as the remaining of an unlimited descriptor: the largest uint32. */
  public static final long MAX_UINT32 = 0xffff_ffffL;

  static final DescriptorStatus NOT_LIMITED =
      new DescriptorStatus(false, true, null, null, 0, 0, 0, 0);

  static DescriptorStatus unlimited(DescriptorMatch match) {
    return new DescriptorStatus(false, true, match, null, 0, MAX_UINT32, MAX_UINT32, 0);
  }

  /** The name of the limit, if it has one. */
  public @Nullable String name() {
    return match == null ? null : match.limit().name().orElse(null);
  }

  boolean hasMetadata() {
    return match != null && !match.limit().metadata().isEmpty();
  }

  public boolean unlimited() {
    return match != null && match.limit().unlimited();
  }

  /** As the protocol can carry it. */
  public static int saturated(long value) {
    return (int) Math.min(value, MAX_UINT32);
  }
}
