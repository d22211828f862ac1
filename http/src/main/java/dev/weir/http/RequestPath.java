package dev.weir.http;

/**
 * The path of a request in the one form that rules are written for.
 *
 * <p>{@code /%6cogin}, {@code //login} and {@code /x/../login} reach the same handler as {@code
 * /login} in most applications, and would slip past a rule for it. So, by RFC 3986: escapes of
 * unreserved characters are decoded (6.2.2.2), those that stay have digits in capitals (6.2.2.1),
 * and dot segments are removed (5.2.4), after runs of slashes have become one, as servers do. What
 * may mean something else is kept apart: {@code %2F} is no slash, and a backslash and what follows
 * a {@code ;} stay as they are.
 *
 * <p>Nothing is decoded twice: {@code %256c} stays, and so does {@code %%36c}, which would
 * otherwise become the escape {@code %6c}. The path of a path is the same path.
 */
public final class RequestPath {
  private static final String ROOT = "/";

  private RequestPath() {}

  /**
   * The path of a request target, which may be any text and is never refused. One that is already
   * as it should be is returned itself.
   *
   * @param target as on the request line: {@code /a/b?q=1}, {@code http://host/a}, or {@code *},
   *     which asks for no path and is answered with the root
   * @return starts with a slash and has neither query nor fragment
   */
  public static String normalise(String target) {
    if (isNormal(target)) {
      return target;
    }
    if (target.equals("*")) {
      return ROOT;
    }
    int start = RequestTarget.startOfPath(target);
    return read(target, start, RequestTarget.endOfPath(target, start));
  }

  private static boolean isNormal(String target) {
    if (!target.startsWith(ROOT)) {
      return false;
    }
    for (int i = 0; i < target.length(); i++) {
      if (changesAt(target, i)) {
        return false;
      }
    }
    return true;
  }

  private static boolean changesAt(String target, int at) {
    return switch (target.charAt(at)) {
      case '?', '#' -> true;
      case '/' -> target.startsWith(ROOT, at + 1) || NormalisedPathBuilder.isDots(target, at + 1);
      case '%' ->
          PercentEscape.isAt(target, at, target.length()) && !PercentEscape.isNormal(target, at);
      default -> false;
    };
  }

  private static String read(String target, int start, int end) {
    NormalisedPathBuilder segments = new NormalisedPathBuilder(end - start + 1);
    int at = start;
    while (at < end) {
      if (PercentEscape.isAt(target, at, end)) {
        segments.addEscape(target, at);
        at += PercentEscape.LENGTH;
      } else {
        segments.add(target.charAt(at++));
      }
    }
    return segments.end();
  }
}
