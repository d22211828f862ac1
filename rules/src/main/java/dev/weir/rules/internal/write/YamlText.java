package dev.weir.rules.internal.write;

import dev.weir.internal.text.PrintableText;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Text as a YAML scalar that every reader of YAML takes for this text.
 *
 * <p>Plain is what surely needs no quotes, in a list and as a key too; all else is quoted. Weir
 * itself takes {@code no} and {@code 123} for text, but an editor or a template that the rules pass
 * through on their way may not.
 */
final class YamlText {
  private static final Pattern WORDS =
      Pattern.compile("[A-Za-z/](?:[A-Za-z0-9 /_.*+@-]*[A-Za-z0-9/_.*+@-])?");
  private static final Pattern RATE =
      Pattern.compile("[0-9]+ per [a-z0-9]+(?: in [A-Za-z][A-Za-z0-9/_+-]*)?");

  /** What YAML 1.1 or 1.2 reads as something else than text, in any case. */
  private static final Set<String> OTHERWISE =
      Set.of("y", "n", "yes", "no", "on", "off", "true", "false", "null");

  private YamlText() {}

  static String of(String text) {
    return isPlain(text) ? text : quoted(text);
  }

  private static boolean isPlain(String text) {
    return RATE.matcher(text).matches()
        || WORDS.matcher(text).matches() && !OTHERWISE.contains(text.toLowerCase(Locale.ROOT));
  }

  private static String quoted(String text) {
    StringBuilder out = new StringBuilder(text.length() + 2).append('"');
    text.codePoints().forEach(point -> append(point, out));
    return out.append('"').toString();
  }

  /** Escapes what cannot be seen, too: half a surrogate pair does not survive UTF-8. */
  private static void append(int point, StringBuilder out) {
    switch (point) {
      case '"', '\\' -> out.append('\\').append((char) point);
      case '\n' -> out.append("\\n");
      case '\t' -> out.append("\\t");
      default -> {
        if (PrintableText.isPrintable(point)) {
          out.appendCodePoint(point);
        } else {
          out.append(String.format(point < 0x10000 ? "\\u%04x" : "\\U%08x", point));
        }
      }
    }
  }
}
