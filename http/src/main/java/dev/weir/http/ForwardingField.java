package dev.weir.http;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A header field in which proxies say whom they forward for, the nearest one last. */
enum ForwardingField {
  X_FORWARDED_FOR("X-Forwarded-For") {
    @Override
    Optional<IpAddress> address(String entry) {
      return node(entry.strip());
    }
  },

  /** RFC 7239. */
  FORWARDED("Forwarded") {
    @Override
    Optional<IpAddress> address(String entry) {
      return forwardedFor(entry.strip()).flatMap(ForwardingField::node);
    }
  };

  private static final String TOKEN = "[\\w!#$%&'*+.^`|~-]++";

  /** One pair and what ends it. Addresses are also taken without the quotes they should have. */
  private static final Pattern PAIR =
      Pattern.compile(
          "\\G[ \\t]*+(TOKEN)=(?:\"([^\"\\\\]*+)\"|([\\w!#$%&'*+.^`|~:\\[\\]-]++))[ \\t]*+(?:;|\\z)"
              .replace("TOKEN", TOKEN));

  /** An address with or without a port; IPv6 is in brackets if there is one. */
  private static final Pattern NODE =
      Pattern.compile("(?:\\[([^\\]]++)\\]|([^:\\[\\]]++))(?::\\d{1,5})?+");

  private final String fieldName;

  ForwardingField(String fieldName) {
    this.fieldName = fieldName;
  }

  String fieldName() {
    return fieldName;
  }

  /** The address in one entry of the field's list; empty if the entry holds none. */
  abstract Optional<IpAddress> address(String entry);

  /** An address with or without a port or a zone. */
  static Optional<IpAddress> node(String text) {
    Matcher node = NODE.matcher(text);
    if (!node.matches()) {
      return IpAddressText.parseWithZone(text);
    }
    return node.group(1) != null
        ? IpAddressText.parseWithZone(node.group(1)).filter(v6 -> node.group(1).indexOf(':') >= 0)
        : IpAddress.parse(node.group(2));
  }

  /** The one {@code for} of an element that is well-formed throughout. */
  private static Optional<String> forwardedFor(String element) {
    Optional<String> found = Optional.empty();
    Matcher pair = PAIR.matcher(element);
    int end = 0;
    while (end < element.length() && pair.find()) {
      end = pair.end();
      if (pair.group(1).equalsIgnoreCase("for")) {
        if (found.isPresent()) {
          return Optional.empty();
        }
        found = Optional.of(pair.group(2) != null ? pair.group(2) : pair.group(3));
      }
    }
    return end == element.length() ? found : Optional.empty();
  }
}
