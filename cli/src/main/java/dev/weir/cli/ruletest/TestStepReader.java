package dev.weir.cli.ruletest;

import dev.weir.http.AmbiguousPathException;
import dev.weir.http.ClientAddress;
import dev.weir.http.RequestAttributes;
import dev.weir.internal.text.HumanDuration;
import dev.weir.rules.internal.read.MappingReader;
import dev.weir.rules.internal.yaml.FaultCollector;
import dev.weir.rules.internal.yaml.YamlNode;
import dev.weir.rules.internal.yaml.YamlNode.Mapping;
import dev.weir.rules.internal.yaml.YamlNode.Scalar;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads one entry of a test's {@code requests}. */
final class TestStepReader {
  private static final List<String> KEYS =
      List.of(
          "at",
          "attributes",
          "permits",
          "times",
          "every",
          "expect",
          "by",
          "remaining",
          "retry-after",
          "status");
  private static final long MAX_TIMES = 1_000_000;

  private final ExpectedAnswerReader answers;
  private final TestValueReader values;
  private final ClientAddress addresses;
  private final FaultCollector faults;

  /**
   * @param limits the names that a test may use; empty for any
   */
  TestStepReader(Set<String> limits, ClientAddress addresses, FaultCollector faults) {
    this.values = new TestValueReader(faults);
    this.answers = new ExpectedAnswerReader(limits, values, faults);
    this.addresses = addresses;
    this.faults = faults;
  }

  /**
   * Null if the entry is not a request; the reason is then among the faults.
   *
   * @param lastMicros the time of the request before it
   */
  @Nullable TestStep read(YamlNode node, long lastMicros) {
    if (!(node instanceof Mapping mapping)) {
      faults.add(
          node.at(),
          "a request must be a mapping such as {at: 0s, attributes: {ip: 192.0.2.1}, expect:"
              + " allowed}, was "
              + node.kind());
      return null;
    }
    MappingReader section = new MappingReader("a request", mapping, KEYS, faults);
    long atMicros = at(section.text("at"), lastMicros);
    Map<String, String> given = attributes(section.get("attributes"));
    addStatus(section, given);
    RequestAttributes read = normalised(section, given);
    long permits = values.number(section, "permits", 0, Long.MAX_VALUE, 1);
    int times = (int) values.number(section, "times", 1, MAX_TIMES, 1);
    Duration every = values.duration("every", section.text("every"), Duration.ZERO);
    return new TestStep(
        mapping.at(),
        atMicros,
        given,
        read,
        permits,
        times,
        every.toNanos() / 1000,
        answers.read(section));
  }

  /** Without a time of its own, a request comes at the time of the one before it. */
  private long at(@Nullable Scalar text, long lastMicros) {
    Duration last = Duration.ofNanos(lastMicros * 1000);
    Duration at = values.duration("at", text, last);
    if (text != null && at.compareTo(last) < 0) {
      faults.add(
          text.at(),
          "at must not be before the request above it, which comes at "
              + HumanDuration.of(last)
              + ", was "
              + text.kind());
      return lastMicros;
    }
    return at.toNanos() / 1000;
  }

  private Map<String, String> attributes(@Nullable YamlNode node) {
    Map<String, String> attributes = new LinkedHashMap<>();
    if (node instanceof Mapping mapping) {
      MappingReader.distinct("attributes", mapping, faults)
          .forEach(
              (name, value) -> {
                Scalar text = MappingReader.text("attribute " + name, value, faults);
                if (text != null) {
                  attributes.put(name, text.text());
                }
              });
    } else if (node != null) {
      faults.add(
          node.at(), "attributes must be a mapping from names to values, was " + node.kind());
    }
    return attributes;
  }

  /** How the application responds, for limits that count only some responses; as logs have it. */
  private void addStatus(MappingReader section, Map<String, String> given) {
    Scalar status = section.text("status");
    Long number = status == null ? null : values.number("status", status, 100, 599);
    if (number != null) {
      given.put("status", number.toString());
    }
  }

  private RequestAttributes normalised(MappingReader section, Map<String, String> given) {
    try {
      return RequestAttributes.read(given, addresses);
    } catch (AmbiguousPathException refused) {
      YamlNode node = section.get("attributes");
      faults.add(
          node == null ? section.at() : node.at(),
          "the service answers 400 to this request: " + refused.getMessage());
      return new RequestAttributes(Map.of(), List.of());
    }
  }
}
