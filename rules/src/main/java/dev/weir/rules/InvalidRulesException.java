package dev.weir.rules;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Rules that were refused whole. The message names the first {@value #SHOWN} faults, one per line,
 * and how many more there are, and then hints, if there is room for them: it goes into logs and
 * answers, whose length must not depend on how wrong a file is.
 */
public final class InvalidRulesException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  /** How many faults a message names. */
  public static final int SHOWN = 20;

  private final transient List<Fault> faults;

  /**
   * @param hints about what is valid and probably not meant: the cause of a fault, sometimes
   */
  InvalidRulesException(List<Fault> faults, List<Fault> hints) {
    super(message(faults, hints));
    this.faults = List.copyOf(faults);
  }

  private static String message(List<Fault> faults, List<Fault> hints) {
    int more = faults.size() - SHOWN;
    if (more > 0) {
      return lines(faults.stream()) + "\nand " + more + " more";
    }
    return lines(Stream.concat(faults.stream(), hints.stream()));
  }

  private static String lines(Stream<Fault> faults) {
    return faults.limit(SHOWN).map(Fault::toString).collect(Collectors.joining("\n"));
  }

  /** All of them, by file and place; at least one. */
  public List<Fault> faults() {
    return faults;
  }
}
