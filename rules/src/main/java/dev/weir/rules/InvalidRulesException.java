package dev.weir.rules;

import java.util.List;
import java.util.stream.Collectors;

/** Rules that were refused whole; names every fault, one per line. */
public final class InvalidRulesException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  private final transient List<Fault> faults;

  InvalidRulesException(List<Fault> faults) {
    super(faults.stream().map(Fault::toString).collect(Collectors.joining("\n")));
    this.faults = List.copyOf(faults);
  }

  /** At least one, by file and place. */
  public List<Fault> faults() {
    return faults;
  }
}
