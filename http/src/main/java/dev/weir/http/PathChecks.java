package dev.weir.http;

import org.jspecify.annotations.Nullable;

/** Refuses ambiguous paths, which applications read differently. */
final class PathChecks {
  private PathChecks() {}

  /**
   * Refuses what is no path at all.
   *
   * @param target what the path is from, for the message
   * @throws AmbiguousPathException naming the first rule that the path breaks
   */
  static void checkSent(String path, String target) {
    for (int at = 0; at < path.length(); at++) {
      String rule = brokenRule(path, at);
      if (rule != null) {
        throw new AmbiguousPathException(rule, target);
      }
    }
  }

  /** Refuses what would be another path if it were decoded again, or split in another way. */
  static void checkDecoded(String path, String target) {
    for (int at = path.indexOf('%'); at >= 0; at = path.indexOf('%', at + 1)) {
      if (PercentEscape.isEscapeOfEscape(path, at)) {
        throw new AmbiguousPathException("not escape an escape", target);
      }
    }
    if (DotSegments.hasHidden(path)) {
      throw new AmbiguousPathException(
          "not have . or .. beside an escaped slash, a backslash or a semicolon", target);
    }
  }

  private static @Nullable String brokenRule(String path, int at) {
    return switch (path.charAt(at)) {
      case '#' -> "not have a fragment";
      case 0 -> "not have a NUL";
      case '%' -> brokenRuleOfEscape(path, at);
      default -> null;
    };
  }

  private static @Nullable String brokenRuleOfEscape(String path, int at) {
    if (!PercentEscape.isAt(path, at)) {
      return "have two hexadecimal digits after each %";
    }
    if (PercentEscape.decoded(path, at) == 0) {
      return "not have a NUL";
    }
    return PercentEscape.isOverlong(path, at) ? "be shortest UTF-8" : null;
  }
}
