package dev.weir.rules.internal.read;

import dev.weir.Algorithm;
import dev.weir.internal.text.KebabCase;
import dev.weir.rules.internal.yaml.FaultCollector;
import dev.weir.rules.internal.yaml.YamlNode.Scalar;
import org.jspecify.annotations.Nullable;

/** Reads {@code burst} of a limit: the capacity of a token bucket. */
public final class BurstReader {
  private static final long MAX_PERMITS = (1L << 53) - 1;

  private BurstReader() {}

  /** Null if there is none, and also if it is faulty. */
  public static @Nullable Long read(
      MappingReader section, Algorithm algorithm, FaultCollector faults) {
    Scalar text = section.text("burst");
    if (text == null) {
      return null;
    }
    if (algorithm != Algorithm.TOKEN_BUCKET) {
      faults.add(
          text.at(), "burst is for token-bucket only, was given with " + KebabCase.of(algorithm));
      return null;
    }
    if (text.text().matches("\\d{1,16}")) {
      long burst = Long.parseLong(text.text());
      if (burst >= 1 && burst <= MAX_PERMITS) {
        return burst;
      }
    }
    faults.add(
        text.at(),
        "burst must be a whole number from 1 to " + MAX_PERMITS + ", was " + text.kind());
    return null;
  }
}
