package dev.weir.rules;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Rules that were refused whole. The message names the first {@value #SHOWN} faults, one per line,
 * and how many more there are: it goes into logs and answers, whose length must not depend on how
 * wrong a file is.
 */
public final class InvalidRulesException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  /** How many faults a message names. */
  public static final int SHOWN = 20;

  private final transient List<Fault> faults;

  InvalidRulesException(List<Fault> faults) {
    super(message(faults));
    this.faults = List.copyOf(faults);
  }

  private static String message(List<Fault> faults) {
    String first =
        faults.stream().limit(SHOWN).map(Fault::toString).collect(Collectors.joining("\n"));
    int more = faults.size() - SHOWN;
    return more > 0 ? first + "\nand " + more + " more" : first;
  }

  /** All of them, by file and place; at least one. */
  public List<Fault> faults() {
    return faults;
  }
}
