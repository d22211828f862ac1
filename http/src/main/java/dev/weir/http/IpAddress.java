package dev.weir.http;

import java.util.Optional;

/**
 * An IP address as a number. An IPv4 address inside IPv6 ({@code ::ffff:192.0.2.1}) is folded: it
 * is the IPv4 address.
 *
 * @param bits 32 or 128
 * @param high the upper half of an IPv6 address; 0 for IPv4
 * @param low the lower half, or the IPv4 address
 */
record IpAddress(int bits, long high, long low) {
  private static final long MAPPED = 0xffffL;

  static IpAddress v4(long value) {
    return new IpAddress(32, 0, value);
  }

  static IpAddress v6(long high, long low) {
    return high == 0 && low >>> 32 == MAPPED
        ? v4(low & 0xffff_ffffL)
        : new IpAddress(128, high, low);
  }

  /** Of an address in digits; empty for anything else. No name is ever looked up. */
  static Optional<IpAddress> parse(String text) {
    return IpAddressText.parse(text);
  }

  /** The same address with all bits after the first {@code prefix} cleared. */
  IpAddress masked(int prefix) {
    if (bits == 32) {
      return v4(low & upper(prefix + 32));
    }
    return new IpAddress(bits, high & upper(prefix), low & upper(prefix - 64));
  }

  /** In the form of RFC 5952, so that equal addresses have equal texts. */
  @Override
  public String toString() {
    return IpAddressText.format(this);
  }

  /** The first {@code count} of 64 bits set; none for a negative count, all for more than 64. */
  private static long upper(int count) {
    if (count <= 0) {
      return 0;
    }
    return count >= 64 ? -1 : -1L << 64 - count;
  }
}
