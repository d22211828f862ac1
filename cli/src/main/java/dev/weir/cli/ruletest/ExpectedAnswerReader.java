package dev.weir.cli.ruletest;

import dev.weir.Decision;
import dev.weir.internal.text.MessageText;
import dev.weir.rules.internal.read.MappingReader;
import dev.weir.rules.internal.yaml.FaultCollector;
import dev.weir.rules.internal.yaml.YamlNode;
import dev.weir.rules.internal.yaml.YamlNode.Entry;
import dev.weir.rules.internal.yaml.YamlNode.Mapping;
import dev.weir.rules.internal.yaml.YamlNode.Scalar;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads what a test expects of a request: {@code expect}, {@code by}, and numbers. */
final class ExpectedAnswerReader {
  private enum ExpectedVerdict {
    ALLOWED,
    DENIED
  }

  private final Set<String> limits;
  private final TestValueReader values;
  private final FaultCollector faults;

  ExpectedAnswerReader(Set<String> limits, TestValueReader values, FaultCollector faults) {
    this.limits = limits;
    this.values = values;
    this.faults = faults;
  }

  ExpectedAnswer read(MappingReader section) {
    Boolean allowed = allowed(section);
    List<String> by = by(section, allowed);
    Duration retryAfter = retryAfter(section.text("retry-after"));
    YamlNode remaining = section.get("remaining");
    if (remaining instanceof Mapping mapping) {
      return new ExpectedAnswer(allowed, by, null, remainingOf(mapping), retryAfter);
    }
    Scalar number = section.text("remaining");
    Long least = number == null ? null : values.number("remaining", number, 0, Long.MAX_VALUE);
    return new ExpectedAnswer(allowed, by, least, Map.of(), retryAfter);
  }

  /** A limit that must deny is enough to say that the request is denied. */
  private @Nullable Boolean allowed(MappingReader section) {
    if (section.get("expect") == null) {
      return section.get("by") == null ? null : false;
    }
    return section.choice("expect", ExpectedVerdict.values(), ExpectedVerdict.ALLOWED)
        == ExpectedVerdict.ALLOWED;
  }

  private List<String> by(MappingReader section, @Nullable Boolean allowed) {
    List<Scalar> texts = section.texts("by");
    if (texts == null) {
      return List.of();
    }
    if (Boolean.TRUE.equals(allowed)) {
      texts.forEach(
          text ->
              faults.add(text.at(), "by is for requests that must be denied, was " + text.kind()));
    }
    texts.forEach(text -> checkLimit("by", text));
    return texts.stream().map(Scalar::text).toList();
  }

  private Map<String, Long> remainingOf(Mapping mapping) {
    Map<String, Long> numbers = new LinkedHashMap<>();
    MappingReader.distinct("remaining", mapping, faults);
    for (Entry entry : mapping.entries()) {
      checkLimit("remaining", entry.key());
      Scalar text = MappingReader.text("remaining", entry.value(), faults);
      Long number = text == null ? null : values.number("remaining", text, 0, Long.MAX_VALUE);
      if (number != null) {
        numbers.put(entry.key().text(), number);
      }
    }
    return numbers;
  }

  /** Refuses a name that no limit has: the test would fail for a reason that is hard to find. */
  private void checkLimit(String name, Scalar text) {
    if (!limits.isEmpty() && !limits.contains(text.text())) {
      faults.add(
          text.at(),
          name
              + " must name a limit of the rules, was "
              + text.kind()
              + MessageText.didYouMean(text.text(), limits));
    }
  }

  /** A duration, seconds as in the field Retry-After, or never. */
  private @Nullable Duration retryAfter(@Nullable Scalar text) {
    if (text == null) {
      return null;
    }
    if (text.text().equals("never")) {
      return Decision.NEVER;
    }
    return text.text().matches("\\d{1,9}")
        ? Duration.ofSeconds(Long.parseLong(text.text()))
        : values.duration("retry-after", text, Duration.ZERO);
  }
}
