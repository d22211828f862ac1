package dev.weir.rules.internal.read;

import dev.weir.rules.internal.yaml.FaultCollector;
import dev.weir.rules.internal.yaml.YamlNode.Scalar;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Refuses patterns for paths that no request can have once its path is normalised: every
 * integration does that before rules see it.
 */
final class PathPatternChecks {
  private static final Pattern NOT_IN_A_PATH = Pattern.compile("[?#]");
  private static final Pattern ESCAPE = Pattern.compile("%([0-9A-Fa-f]{2})?");
  private static final Pattern DECODED = Pattern.compile("[A-Za-z0-9._~!$&'()*+,=:@-]");

  private PathPatternChecks() {}

  static void check(Scalar text, FaultCollector faults) {
    String fault = faultOf(text.text());
    if (fault != null) {
      faults.add(text.at(), "path must " + fault + ", was " + text.kind());
    }
  }

  private static @Nullable String faultOf(String path) {
    if (!path.startsWith("/") && !path.startsWith("*")) {
      return "start with / or *";
    }
    if (NOT_IN_A_PATH.matcher(path).find()) {
      return "be without query and fragment";
    }
    if (path.indexOf('\\') >= 0) {
      return "have / or %5C for a backslash, as paths are normalised";
    }
    String fault = faultOfSegments(path.split("/", -1));
    return fault == null ? faultOfEscapes(path) : fault;
  }

  private static @Nullable String faultOfSegments(String[] segments) {
    for (int i = 0; i < segments.length; i++) {
      String segment = segments[i];
      if (segment.contains("**") && !segment.equals("**")) {
        return "have ** alone between slashes";
      }
      if (segment.equals(".") || segment.equals("..")) {
        return "not have . or .. between slashes, as paths are normalised";
      }
      if (segment.isEmpty() && i > 0 && i < segments.length - 1) {
        return "have single slashes, as paths are normalised";
      }
    }
    return null;
  }

  private static @Nullable String faultOfEscapes(String path) {
    Matcher escape = ESCAPE.matcher(path);
    while (escape.find()) {
      String digits = escape.group(1);
      if (digits == null) {
        return "have two hexadecimal digits after each %";
      }
      if (DECODED.matcher(Character.toString(Integer.parseInt(digits, 16))).matches()) {
        return "have escapes only where needed, as paths are normalised";
      }
      if (digits.chars().anyMatch(Character::isLowerCase)) {
        return "have escapes in capitals, as paths are normalised";
      }
    }
    return null;
  }
}
