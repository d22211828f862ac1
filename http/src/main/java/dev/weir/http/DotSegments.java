package dev.weir.http;

/** The segments {@code .} and {@code ..}, which stand for a place and not for a name. */
final class DotSegments {
  private DotSegments() {}

  /** Whether the segment that starts here is {@code .} or {@code ..}. */
  static boolean isDots(CharSequence text, int start) {
    int end = start;
    while (end < text.length() && end < start + 2 && text.charAt(end) == '.') {
      end++;
    }
    return end > start && (end == text.length() || text.charAt(end) == '/');
  }

  /**
   * Whether dots are a segment in some readings of a decoded path only, because a separator beside
   * them or a parameter behind them counts for some applications and not for others.
   */
  static boolean hasHidden(String path) {
    boolean plainBefore = true;
    int start = 0;
    while (start <= path.length()) {
      int end = endOfPiece(path, start);
      boolean plainAfter = end == path.length() || path.charAt(end) == '/';
      int name = endOfName(path, start, end);
      if (areDots(path, start, name) && !(plainBefore && plainAfter && name == end)) {
        return true;
      }
      plainBefore = plainAfter;
      start = end + (end < path.length() && path.charAt(end) == '%' ? PercentEscape.LENGTH : 1);
    }
    return false;
  }

  /** Where a slash or a backslash stands, escaped or not. */
  private static int endOfPiece(String path, int start) {
    int at = start;
    while (at < path.length() && "/\\".indexOf(charAt(path, at)) < 0) {
      at++;
    }
    return at;
  }

  private static int endOfName(String path, int start, int end) {
    int at = start;
    while (at < end && charAt(path, at) != ';') {
      at++;
    }
    return at;
  }

  private static boolean areDots(String path, int start, int end) {
    int count = end - start;
    return (count == 1 || count == 2) && "..".startsWith(path.substring(start, end));
  }

  private static char charAt(String path, int at) {
    return path.charAt(at) == '%' ? PercentEscape.decoded(path, at) : path.charAt(at);
  }
}
