package dev.weir.rules.internal.read;

import dev.weir.Mode;
import dev.weir.Penalty;
import dev.weir.internal.text.LimitPeriod;
import dev.weir.rules.internal.yaml.FaultCollector;
import dev.weir.rules.internal.yaml.SourcePosition;
import dev.weir.rules.internal.yaml.YamlNode;
import dev.weir.rules.internal.yaml.YamlNode.Mapping;
import dev.weir.rules.internal.yaml.YamlNode.Scalar;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code penalty} of a limit: {@code {after: 5 denials per 10m, block: 15m, growing: 2,
 * at-most: 1d}}.
 */
final class PenaltyReader {
  private static final List<String> KEYS = List.of("after", "block", "growing", "at-most");
  private static final Pattern AFTER = Pattern.compile("(\\d{1,15}) denials? per (\\S+)");
  private static final Pattern WITHOUT_DENIALS = Pattern.compile("(\\d{1,15})(?: per |/)(\\S+)");
  private static final Pattern NUMBER = Pattern.compile("\\d{1,4}(\\.\\d{1,4})?");
  private static final double USUAL_GROWTH = 2;
  private static final Duration USUAL_LONGEST = Duration.ofDays(1);

  private final FaultCollector faults;

  PenaltyReader(FaultCollector faults) {
    this.faults = faults;
  }

  /** Empty also if it is faulty. */
  Optional<Penalty> read(MappingReader limit, Mode mode) {
    YamlNode node = limit.get("penalty");
    if (node == null) {
      return Optional.empty();
    }
    if (!(node instanceof Mapping mapping)) {
      faults.add(
          node.at(),
          "penalty must be a mapping such as {after: 5 denials per 10m, block: 15m}, was "
              + node.kind());
      return Optional.empty();
    }
    if (limit.get("lease") != null) {
      faults.add(node.at(), "penalty cannot stand beside lease, whose denials are not counted");
    }
    if (mode == Mode.QUOTA) {
      faults.add(node.at(), "penalty is not for mode quota, which does not deny by itself");
    }
    Penalty penalty = read(new MappingReader("penalty", mapping, KEYS, faults));
    return limit.get("lease") != null || mode == Mode.QUOTA
        ? Optional.empty()
        : Optional.ofNullable(penalty);
  }

  private @Nullable Penalty read(MappingReader section) {
    Denials after = after(section.requiredText("after", "such as 5 denials per 10m"));
    Duration block = duration("block", section.requiredText("block", "such as 15m"));
    Double growing = growing(section.text("growing"));
    Scalar atMost = section.text("at-most");
    Duration longest = atMost == null ? usualLongest(block) : duration("at-most", atMost);
    if (after == null || block == null || growing == null || longest == null) {
      return null;
    }
    try {
      return new Penalty(after.count, after.period, block, growing, longest);
    } catch (IllegalArgumentException impossible) {
      String text = String.valueOf(impossible.getMessage());
      faults.add(placeOf(section, text.substring(0, text.indexOf(' '))), text);
      return null;
    }
  }

  private record Denials(long count, Duration period) {}

  private @Nullable Denials after(@Nullable Scalar text) {
    if (text == null) {
      return null;
    }
    Matcher after = AFTER.matcher(text.text());
    Duration period = after.matches() ? length(after.group(2)) : null;
    if (period != null && Long.parseLong(after.group(1)) > 0) {
      return new Denials(Long.parseLong(after.group(1)), period);
    }
    Matcher almost = WITHOUT_DENIALS.matcher(text.text());
    String hint =
        after.matches() && period == null
            ? LimitPeriod.didYouMean(after.group(2))
            : almost.matches()
                ? "; did you mean \"%s denials per %s\"?"
                    .formatted(almost.group(1), almost.group(2))
                : "";
    faults.add(text.at(), "after must be such as 5 denials per 10m, was " + text.kind() + hint);
    return null;
  }

  private @Nullable Duration duration(String key, @Nullable Scalar text) {
    Duration length = text == null ? null : length(text.text());
    if (text != null && length == null) {
      faults.add(
          text.at(),
          key
              + " must be a duration such as 15m or 1d, was "
              + text.kind()
              + LimitPeriod.didYouMean(text.text()));
    }
    return length;
  }

  private static @Nullable Duration length(String text) {
    try {
      return LimitPeriod.parse(text).length();
    } catch (IllegalArgumentException noDuration) {
      return null;
    }
  }

  private @Nullable Double growing(@Nullable Scalar text) {
    if (text == null) {
      return USUAL_GROWTH;
    }
    if (NUMBER.matcher(text.text()).matches()) {
      return Double.valueOf(text.text());
    }
    faults.add(text.at(), "growing must be a number such as 2, or 1 for none, was " + text.kind());
    return null;
  }

  private static @Nullable Duration usualLongest(@Nullable Duration block) {
    return block != null && block.compareTo(USUAL_LONGEST) > 0 ? block : USUAL_LONGEST;
  }

  private static SourcePosition placeOf(MappingReader section, String key) {
    YamlNode value = section.get(key);
    return value == null ? section.at() : value.at();
  }
}
