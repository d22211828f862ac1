package dev.weir.http;

import java.util.Optional;
import java.util.regex.Pattern;

/** All addresses that share a prefix: {@code 10.0.0.0/8}, or one address alone. */
record IpNetwork(IpAddress base, int prefix) {
  private static final Pattern LENGTH = Pattern.compile("\\d{1,3}");

  /**
   * @throws IllegalArgumentException if the text is no network, or names an address inside one
   */
  static IpNetwork parse(String text) {
    int slash = text.indexOf('/');
    String address = slash < 0 ? text : text.substring(0, slash);
    IpAddress base = IpAddress.parse(address).orElseThrow(() -> notANetwork(text));
    // A folded address has lost the 96 bits in front of it.
    int folded = address.indexOf(':') >= 0 && base.bits() == 32 ? 96 : 0;
    int prefix =
        slash < 0
            ? base.bits()
            : length(text.substring(slash + 1))
                .map(bits -> bits - folded)
                .filter(bits -> bits >= 0 && bits <= base.bits())
                .orElseThrow(() -> notANetwork(text));
    return new IpNetwork(base, prefix).checked(text);
  }

  boolean contains(IpAddress address) {
    return address.bits() == base.bits() && address.masked(prefix).equals(base);
  }

  private IpNetwork checked(String text) {
    IpAddress first = base.masked(prefix);
    if (!first.equals(base)) {
      throw new IllegalArgumentException(
          "trusted proxy must have no bits set after its prefix, was \""
              + text
              + "\"; the network is "
              + first
              + "/"
              + prefix);
    }
    return this;
  }

  private static Optional<Integer> length(String text) {
    return LENGTH.matcher(text).matches() ? Optional.of(Integer.valueOf(text)) : Optional.empty();
  }

  private static IllegalArgumentException notANetwork(String text) {
    return new IllegalArgumentException(
        "trusted proxy must be an address or a network such as 10.0.0.0/8, was \"" + text + "\"");
  }
}
