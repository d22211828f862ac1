package dev.weir.rules.internal.write;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Text that every reader of YAML takes for this text without quotes, in a list and as a key too.
 *
 * <p>Weir itself takes {@code no} and {@code 123} for text, but an editor or a template that the
 * rules pass through on their way may not.
 */
final class PlainText {
  private static final Pattern WORDS =
      Pattern.compile("[A-Za-z/](?:[A-Za-z0-9 /_.*+@-]*[A-Za-z0-9/_.*+@-])?");
  private static final Pattern RATE =
      Pattern.compile("[0-9]+ (?:%|per [a-z0-9]+(?: in [A-Za-z][A-Za-z0-9/_+-]*)?)");

  /** What YAML 1.1 or 1.2 reads as something else than text, in any case. */
  private static final Set<String> OTHERWISE =
      Set.of("y", "n", "yes", "no", "on", "off", "true", "false", "null");

  private PlainText() {}

  static boolean is(String text) {
    return RATE.matcher(text).matches()
        || WORDS.matcher(text).matches() && !OTHERWISE.contains(text.toLowerCase(Locale.ROOT));
  }
}
