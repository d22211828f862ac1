package dev.weir.http;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The path of a request, in the form that rules are written for. Immutable.
 *
 * <p>{@code /%6cogin}, {@code //login} and {@code /x/../login} reach the same handler as {@code
 * /login} in most applications, and would slip past a rule for it. So escapes of characters that
 * mean the same escaped or not are decoded, those that stay have digits in capitals, runs of
 * slashes become one, and dot segments are removed (RFC 3986, 5.2.4 and 6.2.2).
 *
 * <p>Three things depend on the application: whether {@code %2F} is a slash, whether a backslash or
 * {@code %5C} is one, and whether {@code ;x=1} or {@code %3Bx=1} at the end of a segment belongs to
 * its name. A path with any of them has several readings, up to sixteen. The first takes all of
 * them as structure: {@code /api%2Fitems;v=1} is {@code /api/items}. A rule must apply if it
 * matches any reading, or a request could choose the one that no rule is for.
 *
 * <p>Paths that no ordinary client sends and that applications read differently are refused: broken
 * escapes, escapes of escapes, overlong UTF-8, a NUL, a fragment, and dots beside one of the three:
 * {@code ..%2F}, {@code ..;/}.
 *
 * @param text the first reading: starts with a slash and has neither query nor fragment
 * @param otherReadings none for nearly every path
 */
public record RequestPath(String text, List<String> otherReadings) {
  private static final String ROOT = "/";

  public RequestPath {
    otherReadings = List.copyOf(otherReadings);
  }

  /**
   * Reads a request target.
   *
   * @param target as on the request line: {@code /a/b?q=1}, {@code http://host/a}, or {@code *},
   *     which has no path and is read as the root
   * @throws AmbiguousPathException if it cannot be read for sure
   */
  public static RequestPath of(String target) {
    if (isPlain(target)) {
      return new RequestPath(target, List.of());
    }
    if (target.equals("*")) {
      return new RequestPath(ROOT, List.of());
    }
    int start = RequestTarget.startOfPath(target);
    String sent = target.substring(start, RequestTarget.endOfPath(target, start));
    PathChecks.checkSent(sent, target);
    String path = PercentEscape.decodeHarmless(sent);
    PathChecks.checkDecoded(path, target);
    Set<String> readings = new LinkedHashSet<>();
    for (PathReading reading : PathReading.of(path)) {
      readings.add(reading.read(path));
    }
    List<String> all = new ArrayList<>(readings);
    return new RequestPath(all.get(0), all.subList(1, all.size()));
  }

  /**
   * The first reading alone.
   *
   * @throws AmbiguousPathException if it cannot be read for sure
   */
  public static String normalise(String target) {
    return isPlain(target) ? target : of(target).text();
  }

  /** Whether a path is its own and only reading, as most are. */
  private static boolean isPlain(String target) {
    if (!target.startsWith(ROOT)) {
      return false;
    }
    for (int i = 0; i < target.length(); i++) {
      if (needsReading(target, i)) {
        return false;
      }
    }
    return true;
  }

  private static boolean needsReading(String target, int at) {
    return switch (target.charAt(at)) {
      case '?', '#', '%', '\\', ';', 0 -> true;
      case '/' -> target.startsWith(ROOT, at + 1) || DotSegments.isDots(target, at + 1);
      default -> false;
    };
  }
}
