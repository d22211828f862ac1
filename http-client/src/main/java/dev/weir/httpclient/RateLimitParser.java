package dev.weir.httpclient;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads a list of items with parameters (RFC 9651), as far as {@code RateLimit} uses it. A
 * malformed item is left out alone.
 */
final class RateLimitParser {
  private static final String STRING = "\"(?:[\\x20-\\x21\\x23-\\x5b\\x5d-\\x7e]|\\\\[\"\\\\])*+\"";
  private static final String TOKEN = "[A-Za-z*][A-Za-z0-9:/!#$%&'*+.^_`|~-]*+";

  /** A member of a list up to its comma: what is in quotes does not end it. */
  private static final Pattern MEMBER = Pattern.compile("(?:" + STRING + "|[^,\"]|\")++");

  private static final Pattern ITEM =
      Pattern.compile("(" + STRING + "|" + TOKEN + ")((?: *+;[^;\"]*+(?:" + STRING + ")?+)*+)");
  private static final Pattern PARAMETER =
      Pattern.compile("; *+([a-z*][a-z0-9_.*-]*+)=([0-9]{1,15})(?= *+(?:;|$))");

  private RateLimitParser() {}

  static List<AnswerLimits.Item> items(String field) {
    List<AnswerLimits.Item> items = new ArrayList<>();
    Matcher members = MEMBER.matcher(field);
    while (members.find()) {
      item(members.group().strip()).ifPresent(items::add);
    }
    return items;
  }

  private static Optional<AnswerLimits.Item> item(String member) {
    Matcher item = ITEM.matcher(member);
    if (!item.matches()) {
      return Optional.empty();
    }
    Map<String, Long> parameters = new HashMap<>();
    Matcher parameter = PARAMETER.matcher(item.group(2));
    while (parameter.find()) {
      parameters.put(parameter.group(1), Long.valueOf(parameter.group(2)));
    }
    Long remaining = first(parameters, "r", "a");
    Long seconds = first(parameters, "t", "w");
    return Optional.ofNullable(remaining)
        .map(
            left ->
                new AnswerLimits.Item(
                    name(item.group(1)),
                    left,
                    Optional.ofNullable(seconds).map(Duration::ofSeconds)));
  }

  /** The parameter under its name of draft 11, or under that of its successor. */
  private static @Nullable Long first(Map<String, Long> parameters, String name, String renamed) {
    Long value = parameters.get(name);
    return value == null ? parameters.get(renamed) : value;
  }

  private static String name(String item) {
    return item.startsWith("\"")
        ? item.substring(1, item.length() - 1).replaceAll("\\\\(.)", "$1")
        : item;
  }
}
