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
   * {@code redis://***}: of an address that cannot be read, only the scheme is known to be no
   * secret. Empty if there is none.
   */
  public static Optional<String> schemeOnly(String address) {
    Matcher scheme = SCHEME.matcher(address);
    return scheme.matches() ? Optional.of(scheme.group(1) + "://***") : Optional.empty();
  }
}
