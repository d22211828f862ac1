package dev.weir.server.service;

import dev.weir.Claim;
import dev.weir.Receipt;
import dev.weir.Receipt.Grant;
import dev.weir.internal.text.PrintableText;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.BiFunction;

/**
 * A receipt as a client keeps it: for each limit that was taken from, when, and how much unless it
 * is one permit; then an id, which slots are released by and settlements are known by; last a seal.
 *
 * <p>{@code login/minute=1763251200000000,login/hour=1763251200000000:5,@8bcc83f8-…,~Jx9…}, names
 * escaped as in a URL. Keys are not in it: a call with a receipt brings the request itself. The
 * seal covers them.
 */
final class ReceiptText {
  private static final char BETWEEN_GRANTS = ',';
  private static final char BEFORE_HOLDER = '@';
  private static final char BEFORE_SEAL = '~';
  private static final char BEFORE_PERMITS = ':';
  private static final int USUAL_LENGTH = 160;

  private ReceiptText() {}

  static String write(Receipt receipt, ReceiptSeal seal) {
    StringBuilder out = new StringBuilder(USUAL_LENGTH);
    writeGrants(receipt, out);
    int end = out.length();
    writeKeys(receipt, out);
    String sealed = seal.of(out.toString());
    out.setLength(end);
    return out.append(BETWEEN_GRANTS).append(BEFORE_SEAL).append(sealed).toString();
  }

  /** What the seal is over: the text in front of it, and the keys. */
  static String sealed(Receipt receipt) {
    StringBuilder out = new StringBuilder(USUAL_LENGTH);
    writeGrants(receipt, out);
    writeKeys(receipt, out);
    return out.toString();
  }

  private static void writeGrants(Receipt receipt, StringBuilder out) {
    Optional<UUID> holder = Optional.empty();
    for (Grant grant : receipt.grants()) {
      if (!out.isEmpty()) {
        out.append(BETWEEN_GRANTS);
      }
      out.append(name(grant.claim())).append('=').append(grant.atMicros().orElse(0));
      long permits = grant.claim().permits();
      if (permits != 1) {
        out.append(BEFORE_PERMITS).append(permits);
      }
      holder = grant.holder();
    }
    holder.ifPresent(id -> out.append(BETWEEN_GRANTS).append(BEFORE_HOLDER).append(id));
  }

  /** Lengths stand in front of keys, so that no two lists of keys read alike. */
  private static void writeKeys(Receipt receipt, StringBuilder out) {
    for (Grant grant : receipt.grants()) {
      String key = grant.claim().key();
      out.append('\n').append(key.length()).append(':').append(key);
    }
  }

  /** What the text says of one grant. */
  private record GrantText(long atMicros, long permits) {}

  /** What the text says, with the grants by the names of their limits. */
  private record Parsed(
      Map<String, GrantText> grants, Optional<UUID> holder, Optional<String> seal) {}

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
   * Reads the grants of these claims, with the permits that were granted, but no more than a limit
   * has: slots are looked up one by one, and anybody could have written the number.
   *
   * @throws InvalidRequestException if the text is malformed, or has no grant of these claims
   */
  static Receipt readGranted(String text, List<Claim> claims) {
    return read(
        text,
        claims,
        (claim, grant) -> {
          long most = claim.policy().limit().capacity();
          return new Claim(claim.policy(), claim.key(), Math.min(most, grant.permits));
        });
  }

  /**
   * Reads a receipt that gives something back, with the permits that were granted: all of it, as it
   * was sealed.
   *
   * @throws InvalidRequestException if the text is malformed, or was not given for these claims
   */
  static Receipt readSealed(String text, List<Claim> claims, ReceiptSeal seal) {
    Parsed parsed = parse(text);
    if (parsed.holder.isEmpty()) {
      throw new InvalidRequestException("receipt must have its id, the part after @");
    }
    Map<String, Claim> byName = new HashMap<>();
    claims.forEach(claim -> byName.put(name(claim), claim));
    List<Grant> grants = new ArrayList<>();
    parsed.grants.forEach(
        (name, grant) -> {
          Claim claim = byName.get(name);
          if (claim == null) {
            throw ofOthers(text);
          }
          grants.add(grant(granted(claim, grant), grant, parsed));
        });
    if (grants.isEmpty()) {
      throw ofOthers(text);
    }
    Receipt receipt = new Receipt(grants);
    if (parsed.seal.filter(given -> seal.isOf(sealed(receipt), given)).isEmpty()) {
      throw new InvalidRequestException(
          "receipt must be as /v1/check gave it for these attributes, was "
              + PrintableText.quoted(text));
    }
    return receipt;
  }

  private static Receipt read(
      String text, List<Claim> claims, BiFunction<Claim, GrantText, Claim> granted) {
    Parsed parsed = parse(text);
    List<Grant> grants = new ArrayList<>();
    for (Claim claim : claims) {
      GrantText grant = parsed.grants.get(name(claim));
      if (grant != null) {
        grants.add(grant(granted.apply(claim, grant), grant, parsed));
      }
    }
    if (grants.isEmpty()) {
      throw ofOthers(text);
    }
    return new Receipt(grants);
  }

  private static Grant grant(Claim claim, GrantText text, Parsed parsed) {
    return new Grant(claim, OptionalLong.of(text.atMicros), parsed.holder);
  }

  private static Claim granted(Claim claim, GrantText grant) {
    return new Claim(claim.policy(), claim.key(), grant.permits);
  }

  private static InvalidRequestException ofOthers(String text) {
    return new InvalidRequestException(
        "receipt must be of these attributes, was " + PrintableText.quoted(text));
  }

  private static Parsed parse(String text) {
    Map<String, GrantText> grants = new LinkedHashMap<>();
    Optional<UUID> holder = Optional.empty();
    Optional<String> seal = Optional.empty();
    for (String part : text.split(String.valueOf(BETWEEN_GRANTS))) {
      try {
        if (part.indexOf(BEFORE_HOLDER) == 0) {
          holder = Optional.of(UUID.fromString(part.substring(1)));
        } else if (part.indexOf(BEFORE_SEAL) == 0) {
          seal = Optional.of(part.substring(1));
        } else {
          readGrant(part, grants);
        }
      } catch (IllegalArgumentException malformed) { // also of a number
        throw new InvalidRequestException(
            "receipt must be one that /v1/check gave, was " + PrintableText.quoted(text));
      }
    }
    return new Parsed(grants, holder, seal);
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
