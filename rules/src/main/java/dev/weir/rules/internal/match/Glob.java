package dev.weir.rules.internal.match;

/** A text in which {@code *} stands for any characters, also none. */
public record Glob(String text) implements TextPattern {
  @Override
  public boolean matches(String value) {
    return matches(value, 0, value.length());
  }

  @Override
  public boolean isExact() {
    return text.indexOf('*') < 0;
  }

  /**
   * Whether a part of a value fits.
   *
   * <p>On a mismatch only the last {@code *} is tried again, one character longer: what an earlier
   * one could gain, the last one can too. So the time is at most the product of both lengths.
   */
  boolean matches(String value, int start, int end) {
    int at = start;
    int next = 0;
    int star = -1;
    int retryAt = start;
    while (at < end) {
      if (next < text.length() && text.charAt(next) == '*') {
        star = next++;
        retryAt = at;
      } else if (next < text.length() && text.charAt(next) == value.charAt(at)) {
        next++;
        at++;
      } else if (star >= 0) {
        next = star + 1;
        at = ++retryAt;
      } else {
        return false;
      }
    }
    while (next < text.length() && text.charAt(next) == '*') {
      next++;
    }
    return next == text.length();
  }
}
