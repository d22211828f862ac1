package dev.weir.micrometer;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What a registry holds, as text to compare: tags in the order of their names. */
final class Series {
  private Series() {}

  /** The series of one name that are not zero; for timers, how often they recorded. */
  static Map<String, Double> of(MeterRegistry registry, String name) {
    Map<String, Double> values = all(registry, name);
    values.values().removeIf(value -> value == 0);
    return values;
  }

  /** The same with those that are zero. */
  static Map<String, Double> all(MeterRegistry registry, String name) {
    Map<String, Double> values = new TreeMap<>();
    registry.getMeters().stream()
        .filter(meter -> meter.getId().getName().equals(name))
        .forEach(meter -> values.put(tags(meter), value(meter)));
    return values;
  }

  static String tags(Meter meter) {
    return meter.getId().getTags().stream()
        .map((Tag tag) -> tag.getKey() + "=" + tag.getValue())
        .collect(Collectors.joining(" "));
  }

  private static double value(Meter meter) {
    return meter instanceof Timer timer
        ? timer.count()
        : meter.measure().iterator().next().getValue();
  }
}
