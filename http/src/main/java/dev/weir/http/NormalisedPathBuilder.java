package dev.weir.http;

/** Puts a path together, character by character, and takes back what dot segments remove. */
final class NormalisedPathBuilder {
  /** Starts with a slash, and has one before every segment. */
  private final StringBuilder path;

  /** Where the segment that is being added starts. */
  private int start = 1;

  NormalisedPathBuilder(int capacity) {
    path = new StringBuilder(capacity).append('/');
  }

  void append(char c) {
    path.append(c);
  }

  void append(String text) {
    path.append(text);
  }

  /** Ends a segment at a slash; an empty segment was a slash too many. */
  void endSegment() {
    end("/");
  }

  String end() {
    end("");
    return path.toString();
  }

  private void end(String slash) {
    if (DotSegments.isDots(path, start)) {
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
}
