package dev.weir.http;

import java.util.ArrayList;
import java.util.List;

/**
 * One way in which applications read a path that has been checked and decoded.
 *
 * @param slashes whether {@code %2F} separates segments; else it stays
 * @param backslashes whether a backslash, escaped or not, separates segments; else it is {@code
 *     %5C}
 * @param parameters whether {@code ;} and what follows it in a segment is left out
 * @param escapedParameters the same for {@code %3B}
 */
record PathReading(
    boolean slashes, boolean backslashes, boolean parameters, boolean escapedParameters) {
  private static final boolean[] BOTH = {true, false};
  private static final boolean[] EITHER = {true};

  /** The readings of a path that can differ, the one that sees the most structure first. */
  static List<PathReading> of(String path) {
    List<PathReading> readings = new ArrayList<>();
    for (boolean slashes : containsEscape(path, '/') ? BOTH : EITHER) {
      for (boolean backslashes : hasBackslash(path) ? BOTH : EITHER) {
        for (boolean parameters : path.indexOf(';') >= 0 ? BOTH : EITHER) {
          for (boolean escaped : containsEscape(path, ';') ? BOTH : EITHER) {
            readings.add(new PathReading(slashes, backslashes, parameters, escaped));
          }
        }
      }
    }
    return readings;
  }

  private static boolean hasBackslash(String path) {
    return path.indexOf('\\') >= 0 || containsEscape(path, '\\');
  }

  private static boolean containsEscape(String path, char decoded) {
    for (int at = path.indexOf('%'); at >= 0; at = path.indexOf('%', at + 1)) {
      if (PercentEscape.decoded(path, at) == decoded) {
        return true;
      }
    }
    return false;
  }

  String read(String path) {
    NormalisedPathBuilder out = new NormalisedPathBuilder(path.length() + 1);
    int at = 0;
    while (at < path.length()) {
      char c = path.charAt(at);
      if (startsParameters(path, at)) {
        at = endOfParameters(path, at);
      } else if (c == '%') {
        addEscape(path, at, out);
        at += PercentEscape.LENGTH;
      } else {
        add(c, out);
        at++;
      }
    }
    return out.end();
  }

  private void add(char c, NormalisedPathBuilder out) {
    if (c == '/' || c == '\\' && backslashes) {
      out.endSegment();
    } else if (c == '\\') {
      out.append("%5C");
    } else {
      out.append(c);
    }
  }

  private void addEscape(String path, int at, NormalisedPathBuilder out) {
    if (isSeparator(PercentEscape.decoded(path, at))) {
      out.endSegment();
    } else {
      out.append(path.substring(at, at + PercentEscape.LENGTH));
    }
  }

  private boolean isSeparator(char decoded) {
    return decoded == '/' && slashes || decoded == '\\' && backslashes;
  }

  private boolean startsParameters(String path, int at) {
    char c = path.charAt(at);
    return c == ';' && parameters
        || c == '%' && escapedParameters && PercentEscape.decoded(path, at) == ';';
  }

  private int endOfParameters(String path, int start) {
    int at = start;
    while (at < path.length() && !endsSegment(path, at)) {
      at++;
    }
    return at;
  }

  private boolean endsSegment(String path, int at) {
    char c = path.charAt(at);
    return isSeparator(c == '%' ? PercentEscape.decoded(path, at) : c) || c == '/';
  }
}
