package dev.weir.internal.text;

import java.util.Collection;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Parts of messages about what people write: their text made safe to print, and the nearest valid
 * word.
 */
public final class MessageText {
  private MessageText() {}

  /** Shortened, and without characters that would break a line or a terminal. */
  public static String shown(String text) {
    return PrintableText.shortened(text);
  }

  /** {@code ; did you mean "x"?} for a word close to a valid one, else nothing. */
  public static String didYouMean(String word, Collection<String> valid) {
    String nearest = nearest(word, valid);
    return nearest == null ? "" : "; did you mean \"" + nearest + "\"?";
  }

  /**
   * The valid word that differs from this one only in case or, if both have three letters or more,
   * by one edit; null if the word is valid itself, or if no valid word is that close.
   */
  public static @Nullable String nearMiss(String word, Collection<String> valid) {
    if (valid.contains(word)) {
      return null;
    }
    String small = word.toLowerCase(Locale.ROOT);
    for (String candidate : valid) {
      int most = word.length() < 3 || candidate.length() < 3 ? 0 : 1;
      if (distance(small, candidate) <= most) {
        return candidate;
      }
    }
    return null;
  }

  private static @Nullable String nearest(String word, Collection<String> valid) {
    String nearest = null;
    int least = Math.max(1, Math.min(3, word.length() / 2)) + 1;
    for (String candidate : valid) {
      int distance = distance(word.toLowerCase(Locale.ROOT), candidate.toLowerCase(Locale.ROOT));
      if (distance < least) {
        least = distance;
        nearest = candidate;
      }
    }
    return nearest;
  }

  /** Edits from one word to another; two neighbours swapped count as one edit. */
  private static int distance(String a, String b) {
    if (Math.abs(a.length() - b.length()) > 3) {
      return Integer.MAX_VALUE;
    }
    int[][] edits = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        edits[i][j] = i == 0 || j == 0 ? i + j : cheapest(edits, a, b, i, j);
      }
    }
    return edits[a.length()][b.length()];
  }

  private static int cheapest(int[][] edits, String a, String b, int i, int j) {
    int replace = edits[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
    int best = Math.min(replace, Math.min(edits[i - 1][j], edits[i][j - 1]) + 1);
    boolean swapped =
        i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
    return swapped ? Math.min(best, edits[i - 2][j - 2] + 1) : best;
  }
}
