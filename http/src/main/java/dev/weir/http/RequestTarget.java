package dev.weir.http;

/** Finds the path in a request target (RFC 9112, 3.2). */
final class RequestTarget {
  private static final String BEFORE_AUTHORITY = "://";

  private RequestTarget() {}

  /** Behind the authority of an absolute form; the beginning of anything else. */
  static int startOfPath(String target) {
    int colon = target.indexOf(BEFORE_AUTHORITY);
    if (colon < 1 || !isScheme(target, colon)) {
      return 0;
    }
    int start = colon + BEFORE_AUTHORITY.length();
    while (start < target.length() && "/\\?#".indexOf(target.charAt(start)) < 0) {
      start++;
    }
    return start;
  }

  /** A query ends it. A fragment does not: it has no place in a target, and is refused. */
  static int endOfPath(String target, int start) {
    int query = target.indexOf('?', start);
    return query < 0 ? target.length() : query;
  }

  private static boolean isScheme(String target, int end) {
    for (int i = 0; i < end; i++) {
      char c = target.charAt(i);
      boolean later = c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.';
      if (!PercentEscape.isLetter(c) && (i == 0 || !later)) {
        return false;
      }
    }
    return true;
  }
}
