package dev.weir.testkit;

import java.util.List;
import java.util.Random;

/**
 * Makes hostile variants of sample texts: for testing whatever parses text from outside. The same
 * seed gives the same texts. Used by one thread.
 *
 * <p>A variant is a sample with a few random edits: characters that parsers stumble over are
 * inserted, pieces are removed, repeated, swapped or taken from another sample.
 */
public final class TextMutator {
  private static final List<String> TRAPS =
      List.of(
          "\0",
          "\n",
          "\r\n",
          "\t",
          " ",
          "\"",
          "'",
          "\\",
          "/",
          "//",
          "%",
          "%2F",
          "%5c",
          "%00",
          "%c0%af",
          "%252f",
          "..",
          "/../",
          ";",
          "..;",
          "?",
          "#",
          ":",
          "::",
          ",",
          "[",
          "]",
          "{",
          "}",
          "-",
          "--",
          "*",
          "**",
          "&",
          "!",
          "|",
          ">",
          "@",
          "`",
          "=",
          "~",
          "0",
          "-1",
          "1e999",
          "9223372036854775808",
          "0x1f",
          "NaN",
          "null",
          "true",
          "\u00e9",
          "\u20ac",
          "\ud83d",
          "\udc00",
          "\ud83d\ude00",
          "\u202e",
          "\ufeff",
          "\u0085",
          "\u2028");
  private static final int MOST_EDITS = 6;
  private static final int LONGEST = 20_000;

  private final List<String> samples;
  private final Random random;

  /**
   * @param samples at least one; valid inputs reach deepest
   */
  public TextMutator(long seed, List<String> samples) {
    if (samples.isEmpty()) {
      throw new IllegalArgumentException("samples must not be empty");
    }
    this.samples = List.copyOf(samples);
    this.random = new Random(seed);
  }

  /** The next variant, of at most 20,000 characters. */
  public String next() {
    StringBuilder text = new StringBuilder(sample());
    int edits = random.nextInt(MOST_EDITS + 1);
    for (int edit = 0; edit < edits; edit++) {
      edit(text);
    }
    text.setLength(Math.min(text.length(), LONGEST));
    return text.toString();
  }

  private void edit(StringBuilder text) {
    int from = random.nextInt(text.length() + 1);
    int to = Math.min(text.length(), from + 1 + random.nextInt(8));
    switch (random.nextInt(7)) {
      case 0, 1 -> text.insert(from, TRAPS.get(random.nextInt(TRAPS.size())));
      case 2 -> text.delete(from, to);
      case 3 -> text.insert(from, text.substring(from, to).repeat(1 + random.nextInt(300)));
      case 4 -> text.insert(from, piece(sample()));
      case 5 -> text.insert(from, (char) random.nextInt(Character.MAX_VALUE + 1));
      default -> swapCharacters(text);
    }
  }

  private void swapCharacters(StringBuilder text) {
    if (text.length() >= 2) {
      int a = random.nextInt(text.length());
      int b = random.nextInt(text.length());
      char kept = text.charAt(a);
      text.setCharAt(a, text.charAt(b));
      text.setCharAt(b, kept);
    }
  }

  private String piece(String text) {
    int from = random.nextInt(text.length() + 1);
    return text.substring(from, from + random.nextInt(text.length() - from + 1));
  }

  private String sample() {
    return samples.get(random.nextInt(samples.size()));
  }
}
