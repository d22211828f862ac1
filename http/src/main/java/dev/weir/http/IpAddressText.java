package dev.weir.http;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** IP addresses between text and number: reads RFC 4291, writes RFC 5952. */
final class IpAddressText {
  private static final int LONGEST = 45;
  private static final int GROUPS = 8;

  /** No leading zeros: some readers would take such a number as octal. */
  private static final String OCTET = "(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";

  private static final Pattern V4 = Pattern.compile(OCTET + ("\\." + OCTET).repeat(3));
  private static final Pattern GROUP = Pattern.compile("[0-9a-fA-F]{1,4}");

  private IpAddressText() {}

  static Optional<IpAddress> parse(String text) {
    if (text.length() > LONGEST) {
      return Optional.empty();
    }
    return text.indexOf(':') < 0 ? v4(text).map(IpAddress::v4) : v6(text);
  }

  /** An address that may name the interface it is for, {@code fe80::1%eth0}: that is left out. */
  static Optional<IpAddress> parseWithZone(String text) {
    int zone = text.indexOf('%');
    return zone < 0 || text.indexOf(':') < 0 ? parse(text) : parse(text.substring(0, zone));
  }

  static String format(IpAddress address) {
    return address.bits() == 32 ? dotted(address.low()) : grouped(address);
  }

  private static Optional<Long> v4(String text) {
    Matcher octets = V4.matcher(text);
    if (!octets.matches()) {
      return Optional.empty();
    }
    long value = 0;
    for (int i = 1; i <= 4; i++) {
      value = value << 8 | Integer.parseInt(octets.group(i));
    }
    return Optional.of(value);
  }

  private static Optional<IpAddress> v6(String text) {
    int gap = text.indexOf("::");
    if (gap < 0) {
      return groups(text, true).filter(all -> all.length == GROUPS).map(IpAddressText::joined);
    }
    Optional<int[]> head = groups(text.substring(0, gap), false);
    Optional<int[]> tail = groups(text.substring(gap + 2), true);
    if (head.isEmpty() || tail.isEmpty() || head.get().length + tail.get().length >= GROUPS) {
      return Optional.empty();
    }
    int[] all = new int[GROUPS];
    System.arraycopy(head.get(), 0, all, 0, head.get().length);
    System.arraycopy(tail.get(), 0, all, GROUPS - tail.get().length, tail.get().length);
    return Optional.of(joined(all));
  }

  /** The groups of a text without a gap; the last two may be an IPv4 address. */
  private static Optional<int[]> groups(String text, boolean mayEndInV4) {
    if (text.isEmpty()) {
      return Optional.of(new int[0]);
    }
    int lastColon = text.lastIndexOf(':');
    if (mayEndInV4 && text.indexOf('.') > lastColon) {
      String front = text.substring(0, lastColon + 1);
      return v4(text.substring(lastColon + 1)).flatMap(v4 -> groups(front + inGroups(v4), false));
    }
    String[] parts = text.split(":", -1);
    int[] groups = new int[parts.length];
    for (int i = 0; i < parts.length; i++) {
      if (!GROUP.matcher(parts[i]).matches()) {
        return Optional.empty();
      }
      groups[i] = Integer.parseInt(parts[i], 16);
    }
    return Optional.of(groups);
  }

  private static String inGroups(long v4) {
    return Long.toHexString(v4 >> 16) + ":" + Long.toHexString(v4 & 0xffff);
  }

  private static IpAddress joined(int[] groups) {
    long high = 0;
    long low = 0;
    for (int i = 0; i < GROUPS / 2; i++) {
      high = high << 16 | groups[i];
      low = low << 16 | groups[i + GROUPS / 2];
    }
    return IpAddress.v6(high, low);
  }

  private static String dotted(long v4) {
    return (v4 >> 24) + "." + (v4 >> 16 & 0xff) + "." + (v4 >> 8 & 0xff) + "." + (v4 & 0xff);
  }

  /** The longest run of zero groups, the first of equals, is left out if it is two or more. */
  private static String grouped(IpAddress address) {
    int start = 0;
    int length = 1;
    for (int from = 0; from < GROUPS; from++) {
      int zeros = zeros(address, from);
      if (zeros > length) {
        start = from;
        length = zeros;
      }
    }
    return length == 1
        ? hex(address, 0, GROUPS)
        : hex(address, 0, start) + "::" + hex(address, start + length, GROUPS);
  }

  private static int zeros(IpAddress address, int from) {
    int to = from;
    while (to < GROUPS && group(address, to) == 0) {
      to++;
    }
    return to - from;
  }

  private static String hex(IpAddress address, int from, int to) {
    StringBuilder out = new StringBuilder();
    for (int i = from; i < to; i++) {
      out.append(i == from ? "" : ":").append(Long.toHexString(group(address, i)));
    }
    return out.toString();
  }

  private static long group(IpAddress address, int index) {
    long half = index < GROUPS / 2 ? address.high() : address.low();
    return half >> 16 * (GROUPS / 2 - 1 - index % (GROUPS / 2)) & 0xffff;
  }
}
