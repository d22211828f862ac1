package dev.weir.rules.internal.read;

import dev.weir.internal.Check;
import dev.weir.internal.text.LimitPeriod;
import dev.weir.internal.text.MessageText;
import dev.weir.internal.text.SlotsExpression;
import dev.weir.rules.internal.yaml.FaultCollector;
import dev.weir.rules.internal.yaml.YamlNode;
import dev.weir.rules.internal.yaml.YamlNode.Mapping;
import dev.weir.rules.internal.yaml.YamlNode.Scalar;
import java.time.Duration;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads {@code hold} of a limit on requests in flight, and what must not stand beside it. */
final class HoldReader {
  private final FaultCollector faults;

  HoldReader(FaultCollector faults) {
    this.faults = faults;
  }

  /** How long slots are held; the usual time if nothing is said, or nothing that can be read. */
  Duration read(MappingReader section) {
    Scalar text = section.text("hold");
    boolean atOnce = limitsAtOnce(section.get("limit"));
    if (text == null) {
      return SlotsExpression.USUAL_HOLD;
    }
    if (!atOnce) {
      faults.add(text.at(), "hold is for limits such as \"10 at once\" only");
      return SlotsExpression.USUAL_HOLD;
    }
    try {
      Duration hold = LimitPeriod.parse(text.text()).length();
      if (hold != null) {
        return Check.period("hold", hold);
      }
    } catch (IllegalArgumentException impossible) {
      // said below
    }
    faults.add(
        text.at(),
        "hold must be a duration such as 30s or 5m, at most 400 days, was \""
            + MessageText.shown(text.text())
            + '"');
    return SlotsExpression.USUAL_HOLD;
  }

  /** Faults of keys that say how permits come back: slots come back when they are released. */
  void refuseRates(MappingReader section) {
    if (limitsAtOnce(section.get("limit"))) {
      Stream.of("algorithm", "burst")
          .map(section::text)
          .filter(text -> text != null)
          .forEach(
              text -> faults.add(text.at(), "a limit at once takes no algorithm and no burst"));
    }
  }

  /** Whether any of the limits is one of requests in flight. */
  private static boolean limitsAtOnce(@Nullable YamlNode limit) {
    if (limit instanceof Mapping mapping) {
      return mapping.entries().stream().anyMatch(entry -> limitsAtOnce(entry.value()));
    }
    return limit instanceof Scalar text && SlotsExpression.isOne(text.text());
  }
}
