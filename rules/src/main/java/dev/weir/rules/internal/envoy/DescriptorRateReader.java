package dev.weir.rules.internal.envoy;

import dev.weir.Algorithm;
import dev.weir.CalendarUnit;
import dev.weir.FailurePolicy;
import dev.weir.Lease;
import dev.weir.Limit;
import dev.weir.Mode;
import dev.weir.Policy;
import dev.weir.internal.text.LimitPeriod;
import dev.weir.internal.text.MessageText;
import dev.weir.rules.DescriptorRate;
import dev.weir.rules.RateUnit;
import dev.weir.rules.internal.read.AlgorithmReader;
import dev.weir.rules.internal.read.BurstReader;
import dev.weir.rules.internal.read.LeaseReader;
import dev.weir.rules.internal.yaml.FaultCollector;
import dev.weir.rules.internal.yaml.YamlNode.Scalar;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads how many requests in what time, and by which algorithm. */
final class DescriptorRateReader {
  private static final long MAX_REQUESTS = (1L << 53) - 1;
  private static final List<String> UNITS =
      Arrays.stream(RateUnit.values())
          .filter(unit -> unit != RateUnit.UNKNOWN)
          .sorted((a, b) -> a.length().compareTo(b.length()))
          .map(RateUnit::text)
          .toList();

  private final DomainReader.Defaults defaults;
  private final String policyName;
  private final Mode mode;
  private final FaultCollector faults;

  DescriptorRateReader(
      DomainReader.Defaults defaults,
      String policyName,
      boolean shadow,
      boolean quota,
      FaultCollector faults) {
    this.defaults = defaults;
    this.policyName = policyName;
    this.mode = shadow ? Mode.SHADOW : quota ? Mode.QUOTA : Mode.ENFORCE;
    this.faults = faults;
  }

  /** Null if it is faulty. */
  @Nullable DescriptorRate read(EnvoyMapping section) {
    Long requests = requests(section);
    Duration period = period(section);
    Algorithm algorithm = AlgorithmReader.read(section.section(), defaults.algorithm());
    FailurePolicy onFailure =
        section
            .section()
            .choice("on-store-failure", FailurePolicy.values(), defaults.onStoreFailure());
    Long burst = BurstReader.read(section.section(), algorithm, faults);
    Optional<Lease> lease = LeaseReader.read(section.section(), algorithm, faults);
    if (requests == null || period == null) {
      return null;
    }
    try {
      Limit limit = limit(Math.max(1, requests), period, algorithm, burst);
      Policy policy = new Policy(defaults.domain(), policyName, limit, mode, onFailure, lease, 1);
      return new DescriptorRate(policy, requests, RateUnit.of(period));
    } catch (IllegalArgumentException impossible) {
      faults.add(section.at(), "rate_limit: " + impossible.getMessage());
      return null;
    }
  }

  private Limit limit(long requests, Duration period, Algorithm algorithm, @Nullable Long burst) {
    return switch (algorithm) {
      case TOKEN_BUCKET ->
          new Limit.TokenBucket(burst == null ? requests : burst, requests, period);
      case FIXED_WINDOW -> fixedWindow(requests, period);
      case SLIDING_WINDOW -> Limit.slidingWindow(requests, period);
      case SLIDING_LOG -> Limit.slidingLog(requests, period);
      case IN_FLIGHT ->
          throw new IllegalArgumentException("algorithm must be one of rates, was in-flight");
    };
  }

  private Limit fixedWindow(long requests, Duration period) {
    ZoneId zone = defaults.calendar();
    CalendarUnit unit = zone == null ? null : calendarUnit(RateUnit.of(period));
    return unit == null
        ? Limit.fixedWindow(requests, period)
        : Limit.fixedWindow(requests, unit, zone);
  }

  private static @Nullable CalendarUnit calendarUnit(RateUnit unit) {
    return switch (unit) {
      case DAY -> CalendarUnit.DAY;
      case WEEK -> CalendarUnit.WEEK;
      case MONTH -> CalendarUnit.MONTH;
      case UNKNOWN, SECOND, MINUTE, HOUR, YEAR -> null;
    };
  }

  private @Nullable Duration period(EnvoyMapping section) {
    Scalar unit = section.text("unit");
    Scalar period = section.text("period");
    if (unit != null && period != null) {
      faults.add(period.at(), "rate_limit must have unit or period, was given both");
      return null;
    }
    if (unit == null && period == null) {
      faults.add(
          section.at(),
          "rate_limit must have unit: one of "
              + String.join(", ", UNITS)
              + "; or period, such as 30s");
      return null;
    }
    return unit == null ? duration(period) : length(unit);
  }

  private @Nullable Duration length(Scalar unit) {
    String word = unit.text().toLowerCase(Locale.ROOT);
    if (UNITS.contains(word)) {
      return RateUnit.valueOf(word.toUpperCase(Locale.ROOT)).length();
    }
    faults.add(
        unit.at(),
        "unit must be one of "
            + String.join(", ", UNITS)
            + ", was "
            + unit.kind()
            + MessageText.didYouMean(word, UNITS));
    return null;
  }

  private @Nullable Duration duration(Scalar period) {
    try {
      Duration length = LimitPeriod.parse(period.text()).length();
      if (length != null) {
        return length;
      }
    } catch (IllegalArgumentException malformed) {
      // said below, in the words of this key
    }
    faults.add(
        period.at(),
        "period must be a duration such as 250ms, 30s, 5m or 1h30m, was " + period.kind());
    return null;
  }

  /** 0 if nothing is said, as in the reference service; null if it is faulty. */
  private @Nullable Long requests(EnvoyMapping section) {
    Scalar text = section.text("requests_per_unit");
    if (text == null) {
      return section.get("requests_per_unit") == null ? 0L : null;
    }
    if (text.text().matches("\\d{1,16}") && Long.parseLong(text.text()) <= MAX_REQUESTS) {
      return Long.parseLong(text.text());
    }
    faults.add(
        text.at(),
        "requests_per_unit must be a whole number from 0 to "
            + MAX_REQUESTS
            + ", was "
            + text.kind());
    return null;
  }
}
