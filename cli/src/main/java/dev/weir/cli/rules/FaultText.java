package dev.weir.cli.rules;

import dev.weir.rules.InvalidRulesException;
import java.io.PrintWriter;

/** The faults of rules for the terminal, and how many there are. */
public final class FaultText {
  private FaultText() {}

  /** The first faults, as the message of the exception has them. */
  public static void print(PrintWriter err, InvalidRulesException invalid) {
    err.println(invalid.getMessage());
    printCount(err, invalid);
  }

  /** Every fault. */
  static void printAll(PrintWriter err, InvalidRulesException invalid) {
    invalid.faults().forEach(err::println);
    printCount(err, invalid);
  }

  private static void printCount(PrintWriter err, InvalidRulesException invalid) {
    int count = invalid.faults().size();
    err.println(count == 1 ? "1 fault" : count + " faults");
  }
}
