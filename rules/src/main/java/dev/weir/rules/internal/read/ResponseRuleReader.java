package dev.weir.rules.internal.read;

import dev.weir.rules.internal.match.ResponseRule;
import dev.weir.rules.internal.match.StatusSet;
import dev.weir.rules.internal.match.StatusSet.Range;
import dev.weir.rules.internal.yaml.FaultCollector;
import dev.weir.rules.internal.yaml.YamlNode;
import dev.weir.rules.internal.yaml.YamlNode.Mapping;
import dev.weir.rules.internal.yaml.YamlNode.Scalar;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads {@code count} and {@code give-back} of a limit: {@code {status: [401, 500-599]}}. */
final class ResponseRuleReader {
  private static final List<String> KEYS = List.of("status");
  private static final Pattern STATUS = Pattern.compile("([1-5]\\d\\d)(?:-([1-5]\\d\\d))?");
  private static final Pattern HUNDRED = Pattern.compile("([1-5])[xX*][xX*]?");

  private final FaultCollector faults;

  ResponseRuleReader(FaultCollector faults) {
    this.faults = faults;
  }

  /** Null if the limit counts every request. */
  @Nullable ResponseRule read(MappingReader limit) {
    StatusSet count = statuses("count", limit.get("count"));
    StatusSet giveBack = statuses("give-back", limit.get("give-back"));
    return count == null && giveBack == null ? null : new ResponseRule(count, giveBack);
  }

  private @Nullable StatusSet statuses(String name, @Nullable YamlNode node) {
    if (node == null) {
      return null;
    }
    if (!(node instanceof Mapping mapping)) {
      faults.add(
          node.at(), name + " must be a mapping such as {status: [401, 403]}, was " + node.kind());
      return null;
    }
    MappingReader section = new MappingReader(name, mapping, KEYS, faults);
    YamlNode list = section.required("status", "statuses such as [401, 500-599]");
    List<Scalar> texts = list == null ? null : MappingReader.texts("status", list, faults);
    if (texts == null) {
      return null;
    }
    if (texts.isEmpty()) {
      faults.add(list.at(), "status must list at least one, was empty");
      return null;
    }
    List<Range> ranges = new ArrayList<>();
    texts.forEach(text -> addRange(text, ranges));
    return ranges.isEmpty() ? null : new StatusSet(ranges);
  }

  private void addRange(Scalar text, List<Range> ranges) {
    Matcher status = STATUS.matcher(text.text());
    if (status.matches()) {
      int first = Integer.parseInt(status.group(1));
      int last = status.group(2) == null ? first : Integer.parseInt(status.group(2));
      if (first <= last) {
        ranges.add(new Range(first, last));
        return;
      }
    }
    Matcher hundred = HUNDRED.matcher(text.text());
    faults.add(
        text.at(),
        "status must be from 100 to 599, or a range such as 500-599, was "
            + text.kind()
            + (hundred.matches()
                ? "; did you mean \"" + hundred.group(1) + "00-" + hundred.group(1) + "99\"?"
                : ""));
  }
}
