package dev.weir.rules.internal.match;

import java.util.ArrayList;
import java.util.List;

/**
 * A path in which {@code *} stands for any characters within one segment, and {@code **} for any
 * number of segments, also none: {@code /api/**} fits {@code /api}, {@code /api/} and {@code
 * /api/a/b}, not {@code /apis}.
 */
final class PathPattern implements TextPattern {
  static final String ANY_DEPTH = "**";

  private final String text;
  private final List<Glob> segments = new ArrayList<>();

  PathPattern(String text) {
    this.text = text;
    for (String segment : text.split("/", -1)) {
      segments.add(new Glob(segment));
    }
  }

  @Override
  public String text() {
    return text;
  }

  @Override
  public boolean isExact() {
    return text.indexOf('*') < 0;
  }

  List<Glob> segments() {
    return segments;
  }

  static boolean isAnyDepth(Glob segment) {
    return segment.text().equals(ANY_DEPTH);
  }

  /** The walk of {@link Glob#matches}, with segments for characters. */
  @Override
  public boolean matches(String path) {
    int at = 0;
    int next = 0;
    int deep = -1;
    int retryAt = 0;
    while (at <= path.length()) { // a path ends behind its last segment, which may be empty
      if (next < segments.size() && isAnyDepth(segments.get(next))) {
        deep = next++;
        retryAt = at;
        continue;
      }
      int end = endOfSegment(path, at);
      if (next < segments.size() && segments.get(next).matches(path, at, end)) {
        next++;
        at = end + 1;
      } else if (deep >= 0) {
        next = deep + 1;
        retryAt = endOfSegment(path, retryAt) + 1;
        at = retryAt;
      } else {
        return false;
      }
    }
    while (next < segments.size() && isAnyDepth(segments.get(next))) {
      next++;
    }
    return next == segments.size();
  }

  static int endOfSegment(String path, int start) {
    int slash = path.indexOf('/', start);
    return slash < 0 ? path.length() : slash;
  }
}
