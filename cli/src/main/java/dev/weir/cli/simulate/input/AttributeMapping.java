package dev.weir.cli.simulate.input;

import dev.weir.http.RequestPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Attributes made of other parts of a line: {@code user=x_user} takes a field of the line, {@code
 * tenant=path/2} the second segment of its path. Immutable.
 */
final class AttributeMapping {
  private static final String SEGMENT = "path/";

  private final List<MappedAttribute> entries;

  private AttributeMapping(List<MappedAttribute> entries) {
    this.entries = entries;
  }

  /** A source is the name of a field, or a segment of the path if that is more than 0. */
  private record MappedAttribute(String attribute, String source, int segment) {}

  /**
   * Reads what the command line says.
   *
   * @throws IllegalArgumentException naming what is wrong
   */
  public static AttributeMapping of(List<String> texts) {
    List<MappedAttribute> entries = new ArrayList<>();
    for (String text : texts) {
      int equals = text.indexOf('=');
      String source = text.substring(equals + 1).replaceFirst("^\\$", "");
      if (equals < 1 || source.isEmpty()) {
        throw new IllegalArgumentException(
            "--map must be <attribute>=<field> or <attribute>=path/<n>, was " + text);
      }
      entries.add(new MappedAttribute(text.substring(0, equals), source, segment(source, text)));
    }
    return new AttributeMapping(List.copyOf(entries));
  }

  private static int segment(String source, String text) {
    if (!source.startsWith(SEGMENT)) {
      return 0;
    }
    String number = source.substring(SEGMENT.length());
    if (!number.matches("[1-9][0-9]{0,3}")) {
      throw new IllegalArgumentException("--map must name a segment from 1 on, was " + text);
    }
    return Integer.parseInt(number);
  }

  /** Adds to the attributes what the line has of it; fields come before attributes. */
  void apply(Map<String, String> attributes, Map<String, String> fields) {
    for (MappedAttribute entry : entries) {
      String value =
          entry.segment > 0
              ? segment(attributes.get("path"), entry.segment)
              : fields.getOrDefault(entry.source, attributes.get(entry.source));
      if (value != null) {
        attributes.put(entry.attribute, value);
      }
    }
  }

  private static @Nullable String segment(@Nullable String path, int number) {
    String[] segments = path == null ? new String[0] : RequestPath.normalise(path).split("/");
    return number < segments.length && !segments[number].isEmpty() ? segments[number] : null;
  }
}
