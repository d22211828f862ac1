package dev.weir.rules.internal.match;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Path patterns as a tree of segments: a lookup follows the segments of the path, however many
 * patterns there are.
 *
 * <p>Patterns that the tree cannot represent (a {@code **} in the middle, a {@code *} beside other
 * characters) are stored at their last plain segment, and the rule itself checks the rest.
 */
final class PathIndex {
  private final Step root = new Step();

  private static final class Step {
    final Map<String, Step> named = new HashMap<>();
    @Nullable Step any;

    /** Rules whose pattern ends here. */
    @Nullable IntList here;

    /** Rules whose pattern goes on from here, to any depth or in a way the tree cannot tell. */
    @Nullable IntList below;
  }

  void add(PathPattern pattern, int rule) {
    Step step = root;
    for (Glob segment : pattern.segments()) {
      if (isIndexed(segment)) {
        step = next(step, segment);
      } else {
        step.below = IntList.with(step.below, rule);
        return;
      }
    }
    step.here = IntList.with(step.here, rule);
  }

  /** The part of a pattern that the tree tells apart: patterns with equal parts end at one step. */
  static String indexedPart(PathPattern pattern) {
    StringBuilder part = new StringBuilder();
    for (Glob segment : pattern.segments()) {
      if (!isIndexed(segment)) {
        return part.append("**").toString();
      }
      part.append(segment.text()).append('/');
    }
    return part.toString();
  }

  private static boolean isIndexed(Glob segment) {
    return segment.isExact() || segment.text().equals("*");
  }

  private static Step next(Step step, Glob segment) {
    if (segment.isExact()) {
      return step.named.computeIfAbsent(segment.text(), text -> new Step());
    }
    if (step.any == null) {
      step.any = new Step();
    }
    return step.any;
  }

  void find(String path, IntList found) {
    find(root, path, 0, found);
  }

  private static void find(Step step, String path, int at, IntList found) {
    found.addAll(step.below);
    if (at > path.length()) {
      found.addAll(step.here);
      return;
    }
    int end = PathPattern.endOfSegment(path, at);
    if (!step.named.isEmpty()) {
      Step named = step.named.get(path.substring(at, end));
      if (named != null) {
        find(named, path, end + 1, found);
      }
    }
    if (step.any != null) {
      find(step.any, path, end + 1, found);
    }
  }
}
