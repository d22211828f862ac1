package dev.weir.cli.ruletest;

import dev.weir.internal.text.LimitPeriod;
import dev.weir.rules.internal.read.MappingReader;
import dev.weir.rules.internal.yaml.FaultCollector;
import dev.weir.rules.internal.yaml.YamlNode.Scalar;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Reads durations and whole numbers of a test. */
final class TestValueReader {
  /** Longer than any limit; with the latest start, still a time that stores hold. */
  private static final Duration LONGEST = Duration.ofDays(3660);

  private final FaultCollector faults;

  TestValueReader(FaultCollector faults) {
    this.faults = faults;
  }

  Duration duration(String name, @Nullable Scalar text, Duration otherwise) {
    if (text == null) {
      return otherwise;
    }
    Duration read = durationOf(text.text().equals("0") ? "0s" : text.text());
    if (read == null) {
      faults.add(
          text.at(),
          name + " must be a duration such as 0s, 250ms, 5m or 1h30m, was " + text.kind());
    } else if (read.compareTo(LONGEST) > 0) {
      faults.add(text.at(), name + " must be at most 3660d, was " + text.kind());
    } else {
      return read;
    }
    return otherwise;
  }

  private static @Nullable Duration durationOf(String text) {
    try {
      return LimitPeriod.parse(text).length();
    } catch (IllegalArgumentException malformed) {
      return null;
    }
  }

  long number(MappingReader section, String name, long least, long most, long otherwise) {
    Scalar text = section.text(name);
    Long number = text == null ? null : number(name, text, least, most);
    return number == null ? otherwise : number;
  }

  /** Null if it is none; the reason is then among the faults. */
  @Nullable Long number(String name, Scalar text, long least, long most) {
    if (text.text().matches("\\d{1,18}")) {
      long number = Long.parseLong(text.text());
      if (number >= least && number <= most) {
        return number;
      }
    }
    String range = most == Long.MAX_VALUE ? least + " or more" : "from " + least + " to " + most;
    faults.add(text.at(), name + " must be a whole number, " + range + ", was " + text.kind());
    return null;
  }
}
