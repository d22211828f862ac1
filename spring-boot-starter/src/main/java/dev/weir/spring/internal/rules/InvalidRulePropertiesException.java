package dev.weir.spring.internal.rules;

import java.util.List;
import java.util.stream.Collectors;

/** Rules in properties that were refused whole. The message names every fault, one per line. */
public final class InvalidRulePropertiesException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  private final transient List<RulePropertyFault> faults;

  InvalidRulePropertiesException(List<RulePropertyFault> faults) {
    super(faults.stream().map(RulePropertyFault::toString).collect(Collectors.joining("\n")));
    this.faults = List.copyOf(faults);
  }

  /** At least one. */
  public List<RulePropertyFault> faults() {
    return faults;
  }
}
