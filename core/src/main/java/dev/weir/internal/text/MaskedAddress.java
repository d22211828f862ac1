package dev.weir.internal.text;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Addresses as they may be shown: they can hold a password. */
public final class MaskedAddress {
  private static final Pattern SCHEME =
      Pattern.compile("([a-zA-Z][a-zA-Z0-9+.-]*)://.*", Pattern.DOTALL);

  private MaskedAddress() {}

  /**
   * {@code redis://***}, for an address that cannot be parsed: only its scheme is certain not to be
   * a secret. Empty if it has none.
   */
  public static Optional<String> schemeOnly(String address) {
    Matcher scheme = SCHEME.matcher(address);
    return scheme.matches() ? Optional.of(scheme.group(1) + "://***") : Optional.empty();
  }
}
