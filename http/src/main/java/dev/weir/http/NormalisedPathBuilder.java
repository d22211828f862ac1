package dev.weir.http;

/** Puts a path together, character by character, and takes back what dots remove. */
final class NormalisedPathBuilder {
  /** Starts with a slash, and has one before every segment. */
  private final StringBuilder path;

  /** Where the segment that is being added starts. */
  private int start = 1;

  NormalisedPathBuilder(int room) {
    path = new StringBuilder(room).append('/');
  }

  void add(char c) {
    if (c == '/') {
      endSegment("/");
    } else {
      path.append(c);
    }
  }

  void addEscape(String text, int at) {
    char decoded = PercentEscape.decoded(text, at);
    if (PercentEscape.isUnreserved(decoded) && !PercentEscape.isCompletedBy(decoded, path)) {
      path.append(decoded);
    } else {
      PercentEscape.appendInCapitals(text, at, path);
    }
  }

  String end() {
    endSegment("");
    return path.toString();
  }

  /** An empty segment was a slash too many. */
  private void endSegment(String slash) {
    if (isDots(path, start)) {
      path.setLength(path.length() == start + 2 ? startOfParent() : start);
    } else if (path.length() > start) {
      path.append(slash);
    }
    start = path.length();
  }

  /** The root is its own parent. */
  private int startOfParent() {
    return start == 1 ? 1 : path.lastIndexOf("/", start - 2) + 1;
  }

  /** Whether the segment that starts here is {@code .} or {@code ..}. */
  static boolean isDots(CharSequence text, int start) {
    int end = start;
    while (end < text.length() && end < start + 2 && text.charAt(end) == '.') {
      end++;
    }
    return end > start && (end == text.length() || text.charAt(end) == '/');
  }
}
