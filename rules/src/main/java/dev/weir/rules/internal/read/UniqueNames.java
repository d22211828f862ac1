package dev.weir.rules.internal.read;

import dev.weir.rules.internal.yaml.FaultCollector;
import dev.weir.rules.internal.yaml.SourcePosition;
import dev.weir.rules.internal.yaml.YamlNode.Entry;
import dev.weir.rules.internal.yaml.YamlNode.Mapping;
import dev.weir.rules.internal.yaml.YamlNode.Scalar;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Names that must differ: of rules, or of the limits of one rule. */
final class UniqueNames {
  /** Names go into header fields, metrics and logs, so they are what all of these can carry. */
  private static final Pattern VALID = Pattern.compile("[!-~]([ -~]{0,98}[!-~])?");

  private final String what;
  private final FaultCollector faults;
  private final Map<String, SourcePosition> places = new HashMap<>();

  UniqueNames(String what, FaultCollector faults) {
    this.what = what;
    this.faults = faults;
  }

  /** How a section with a name is called in messages: {@code rule "login"}. */
  static String owner(String what, Mapping mapping) {
    for (Entry entry : mapping.entries()) {
      if (entry.key().text().equals("name") && entry.value() instanceof Scalar name) {
        return what + " " + name.kind();
      }
    }
    return "a " + what;
  }

  @Nullable String read(MappingReader section, String meaning) {
    Scalar name = section.requiredText("name", meaning);
    if (name == null) {
      return null;
    }
    if (!VALID.matcher(name.text()).matches()) {
      faults.add(
          name.at(),
          "name must be 1 to 100 printable ASCII characters, no blank at either end, was "
              + name.kind());
      return null;
    }
    SourcePosition first = places.putIfAbsent(name.text(), name.at());
    if (first != null) {
      faults.add(
          name.at(),
          what + " " + name.kind() + " must be there once, was also in " + where(first, name.at()));
    }
    return name.text();
  }

  private static String where(SourcePosition first, SourcePosition here) {
    return first.file().equals(here.file())
        ? "line " + first.line()
        : first.file() + ":" + first.line();
  }
}
