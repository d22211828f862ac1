package dev.weir.server.service;

import dev.weir.Claim;
import dev.weir.Policy;
import dev.weir.Receipt;
import dev.weir.Receipt.Grant;
import dev.weir.internal.text.PrintableText;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * A receipt as a client keeps it: for each limit that was taken from, when.
 *
 * <p>{@code login/minute=1763251200000000,login/hour=1763251200000000}, names escaped as in a URL.
 * Keys and permits are not in it: a refund brings the request itself.
 */
public final class ReceiptText {
  private static final char BETWEEN_GRANTS = ',';

  private ReceiptText() {}

  public static String write(Receipt receipt) {
    StringBuilder out = new StringBuilder(64);
    for (Grant grant : receipt.grants()) {
      if (grant.atMicros().isPresent()) {
        out.append(out.isEmpty() ? "" : BETWEEN_GRANTS);
        Policy policy = grant.claim().policy();
        out.append(escaped(policy.rule())).append('/').append(escaped(policy.name()));
        out.append('=').append(grant.atMicros().getAsLong());
      }
    }
    return out.toString();
  }

  /**
   * Reads the grants of these claims; grants of other claims are left out.
   *
   * @throws InvalidRequestException if the text is malformed, or has no grant of these claims
   */
  static Receipt read(String text, List<Claim> claims) {
    Map<String, Long> times = times(text);
    List<Grant> grants = new ArrayList<>();
    for (Claim claim : claims) {
      Long at = times.get(name(claim));
      if (at != null) {
        grants.add(new Grant(claim, OptionalLong.of(at)));
      }
    }
    if (grants.isEmpty()) {
      throw new InvalidRequestException(
          "receipt must be of these attributes, was " + PrintableText.quoted(text));
    }
    return new Receipt(grants);
  }

  private static Map<String, Long> times(String text) {
    Map<String, Long> times = new HashMap<>();
    for (String grant : text.split(String.valueOf(BETWEEN_GRANTS))) {
      int equals = grant.indexOf('=');
      try {
        times.put(
            grant.substring(0, Math.max(equals, 0)), Long.valueOf(grant.substring(equals + 1)));
      } catch (NumberFormatException malformed) {
        throw new InvalidRequestException(
            "receipt must be one that /v1/check gave, was " + PrintableText.quoted(text));
      }
    }
    return times;
  }

  private static String name(Claim claim) {
    return escaped(claim.policy().rule()) + '/' + escaped(claim.policy().name());
  }

  private static String escaped(String name) {
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      boolean plain = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9';
      if (!plain && c != '-') {
        return percentEncoded(name);
      }
    }
    return name;
  }

  private static String percentEncoded(String name) {
    return URLEncoder.encode(name, StandardCharsets.UTF_8);
  }
}
