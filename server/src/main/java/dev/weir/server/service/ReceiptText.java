package dev.weir.server.service;

import dev.weir.Claim;
import dev.weir.Receipt;
import dev.weir.Receipt.Grant;
import dev.weir.internal.text.PrintableText;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.BiFunction;

/**
 * A receipt as a client keeps it: for each limit that was taken from, when, and how much unless it
 * is one permit; last an id, which slots are released by and settlements are known by.
 *
 * <p>{@code login/minute=1763251200000000,login/hour=1763251200000000:5,@8bcc83f8-…}, names escaped
 * as in a URL. Keys are not in it: a call with a receipt brings the request itself.
 */
public final class ReceiptText {
  private static final char BETWEEN_GRANTS = ',';
  private static final char BEFORE_HOLDER = '@';
  private static final char BEFORE_PERMITS = ':';

  private ReceiptText() {}

  public static String write(Receipt receipt) {
    StringBuilder out = new StringBuilder(128);
    Optional<UUID> holder = Optional.empty();
    for (Grant grant : receipt.grants()) {
      if (grant.atMicros().isPresent()) {
        out.append(out.isEmpty() ? "" : BETWEEN_GRANTS);
        out.append(name(grant.claim())).append('=').append(grant.atMicros().getAsLong());
        long permits = grant.claim().permits();
        if (permits != 1) {
          out.append(BEFORE_PERMITS).append(permits);
        }
        holder = grant.holder();
      }
    }
    holder.ifPresent(id -> out.append(BETWEEN_GRANTS).append(BEFORE_HOLDER).append(id));
    return out.toString();
  }

  /** What the text says of one grant. */
  private record GrantText(long atMicros, long permits) {}

  /**
   * Reads the grants of these claims, with the permits of the claims; grants of other claims are
   * left out.
   *
   * @throws InvalidRequestException if the text is malformed, or has no grant of these claims
   */
  static Receipt read(String text, List<Claim> claims) {
    return read(text, claims, (claim, grant) -> claim);
  }

  /**
   * Reads the grants of these claims, with the permits that were granted.
   *
   * @throws InvalidRequestException if the text is malformed, or has no grant of these claims
   */
  static Receipt readGranted(String text, List<Claim> claims) {
    return read(
        text, claims, (claim, grant) -> new Claim(claim.policy(), claim.key(), grant.permits));
  }

  private static Receipt read(
      String text, List<Claim> claims, BiFunction<Claim, GrantText, Claim> granted) {
    Map<String, GrantText> known = new HashMap<>();
    Optional<UUID> holder = Optional.empty();
    for (String part : text.split(String.valueOf(BETWEEN_GRANTS))) {
      try {
        if (part.indexOf(BEFORE_HOLDER) == 0) {
          holder = Optional.of(UUID.fromString(part.substring(1)));
        } else {
          readGrant(part, known);
        }
      } catch (IllegalArgumentException malformed) { // also of a number
        throw new InvalidRequestException(
            "receipt must be one that /v1/check gave, was " + PrintableText.quoted(text));
      }
    }
    List<Grant> grants = new ArrayList<>();
    for (Claim claim : claims) {
      GrantText grant = known.get(name(claim));
      if (grant != null) {
        grants.add(new Grant(granted.apply(claim, grant), OptionalLong.of(grant.atMicros), holder));
      }
    }
    if (grants.isEmpty()) {
      throw new InvalidRequestException(
          "receipt must be of these attributes, was " + PrintableText.quoted(text));
    }
    return new Receipt(grants);
  }

  private static void readGrant(String part, Map<String, GrantText> known) {
    int equals = part.indexOf('=');
    int colon = part.indexOf(BEFORE_PERMITS, equals);
    String at = part.substring(equals + 1, colon < 0 ? part.length() : colon);
    long permits = colon < 0 ? 1 : Long.parseLong(part.substring(colon + 1));
    if (permits < 0) {
      throw new IllegalArgumentException("negative permits");
    }
    known.put(part.substring(0, Math.max(equals, 0)), new GrantText(Long.parseLong(at), permits));
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
