package dev.weir.rules.internal.envoy;

import dev.weir.Algorithm;
import java.util.Arrays;

/** The algorithms that can keep a rate of Envoy's: requests in flight have none. */
final class RateAlgorithms {
  private RateAlgorithms() {}

  static Algorithm[] all() {
    return Arrays.stream(Algorithm.values())
        .filter(algorithm -> algorithm != Algorithm.IN_FLIGHT)
        .toArray(Algorithm[]::new);
  }
}
