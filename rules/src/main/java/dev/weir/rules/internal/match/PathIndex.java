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
  private final SegmentNode root = new SegmentNode();

  private static final class SegmentNode {
    final Map<String, SegmentNode> named = new HashMap<>();
    @Nullable SegmentNode any;

    /** Rules whose pattern ends here. */
    @Nullable IntList here;

    /**
     * Rules whose pattern continues from here, to any depth or in a form that the tree cannot
     * represent.
     */
    @Nullable IntList below;
  }

  void add(PathPattern pattern, int rule) {
    SegmentNode node = root;
    for (Glob segment : pattern.segments()) {
      if (isIndexed(segment)) {
        node = next(node, segment);
      } else {
        node.below = IntList.with(node.below, rule);
        return;
      }
    }
    node.here = IntList.with(node.here, rule);
  }

  /**
   * The part of a pattern that the tree distinguishes: patterns with equal parts end at the same
   * node.
   */
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

  private static SegmentNode next(SegmentNode node, Glob segment) {
    if (segment.isExact()) {
      return node.named.computeIfAbsent(segment.text(), text -> new SegmentNode());
    }
    if (node.any == null) {
      node.any = new SegmentNode();
    }
    return node.any;
  }

  void find(String path, IntList found) {
    find(root, path, 0, found);
  }

  private static void find(SegmentNode node, String path, int at, IntList found) {
    found.addAll(node.below);
    if (at > path.length()) {
      found.addAll(node.here);
      return;
    }
    int end = PathPattern.endOfSegment(path, at);
    if (!node.named.isEmpty()) {
      SegmentNode named = node.named.get(path.substring(at, end));
      if (named != null) {
        find(named, path, end + 1, found);
      }
    }
    if (node.any != null) {
      find(node.any, path, end + 1, found);
    }
  }
}
