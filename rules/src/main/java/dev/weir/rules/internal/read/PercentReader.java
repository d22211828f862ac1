package dev.weir.rules.internal.read;

import dev.weir.Algorithm;
import dev.weir.rules.internal.yaml.FaultCollector;
import dev.weir.rules.internal.yaml.YamlNode.Scalar;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads shares of a limit: {@code warn-at} and {@code reserve-at-most}. */
final class PercentReader {
  private static final Pattern PERCENT = Pattern.compile("(\\d{1,3}) ?%");

  private final FaultCollector faults;

  PercentReader(FaultCollector faults) {
    this.faults = faults;
  }

  /** From what share on a limit warns; empty also if it is faulty. */
  OptionalInt warnAt(MappingReader section, Algorithm algorithm) {
    Scalar text = section.text("warn-at");
    if (text != null && algorithm != Algorithm.FIXED_WINDOW) {
      faults.add(
          text.at(),
          "warn-at is for fixed-window only, because a warning is given once per window");
      return OptionalInt.empty();
    }
    if (text != null && section.get("lease") != null) {
      faults.add(
          text.at(), "warn-at is not for limits with lease, which count permits before their use");
      return OptionalInt.empty();
    }
    return percent("warn-at", text);
  }

  /** What share of a limit one request can take; empty also if it is faulty. */
  OptionalInt reserveAtMost(MappingReader section) {
    return percent("reserve-at-most", section.text("reserve-at-most"));
  }

  private OptionalInt percent(String key, @Nullable Scalar text) {
    if (text == null) {
      return OptionalInt.empty();
    }
    Matcher percent = PERCENT.matcher(text.text());
    int value = percent.matches() ? Integer.parseInt(percent.group(1)) : 0;
    if (value >= 1 && value <= 100) {
      return OptionalInt.of(value);
    }
    faults.add(text.at(), key + " must be a percentage from 1 % to 100 %, was " + text.kind());
    return OptionalInt.empty();
  }
}
