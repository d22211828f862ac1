package dev.weir.rules.internal.read;

import dev.weir.Algorithm;
import dev.weir.Lease;
import dev.weir.internal.text.LimitPeriod;
import dev.weir.rules.internal.yaml.FaultCollector;
import dev.weir.rules.internal.yaml.YamlNode.Scalar;
import java.time.Duration;
import java.util.Optional;

/** Reads {@code lease} of a limit: {@code auto}, or about how often the store is asked. */
public final class LeaseReader {
  private LeaseReader() {}

  /** Empty also if it is faulty. */
  public static Optional<Lease> read(
      MappingReader section, Algorithm algorithm, FaultCollector faults) {
    Scalar text = section.text("lease");
    if (text == null) {
      return Optional.empty();
    }
    if (algorithm == Algorithm.SLIDING_LOG) {
      faults.add(
          text.at(),
          "lease is not for sliding-log, which remembers the exact time of every request; use"
              + " sliding-window or token-bucket");
      return Optional.empty();
    }
    Optional<Lease> lease = parse(text.text());
    if (lease.isEmpty()) {
      faults.add(
          text.at(),
          "lease must be auto, or a duration from 10ms to 1m such as 1s, was " + text.kind());
    }
    return lease;
  }

  private static Optional<Lease> parse(String text) {
    if (text.equals("auto")) {
      return Optional.of(Lease.auto());
    }
    try {
      Duration period = LimitPeriod.parse(text).length();
      return Optional.ofNullable(period).map(Lease::every);
    } catch (IllegalArgumentException noDuration) {
      return Optional.empty();
    }
  }
}
