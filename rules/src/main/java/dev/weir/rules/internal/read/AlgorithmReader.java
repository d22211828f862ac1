package dev.weir.rules.internal.read;

import dev.weir.Algorithm;
import java.util.Arrays;

/** Reads {@code algorithm} of a rate; requests in flight have none, and say "N at once". */
public final class AlgorithmReader {
  private static final Algorithm[] RATES =
      Arrays.stream(Algorithm.values())
          .filter(algorithm -> algorithm != Algorithm.IN_FLIGHT)
          .toArray(Algorithm[]::new);

  private AlgorithmReader() {}

  /**
   * @param usual if nothing is said, or nothing that can be read
   */
  public static Algorithm read(MappingReader section, Algorithm usual) {
    return section.choice("algorithm", RATES, usual);
  }
}
