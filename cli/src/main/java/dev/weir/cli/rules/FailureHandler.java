package dev.weir.cli.rules;

import dev.weir.StoreUnavailableException;
import dev.weir.rules.InvalidRulesException;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/** Prints why a command failed and exits with 1; prints a stack trace only for bugs. */
public final class FailureHandler implements IExecutionExceptionHandler {
  @Override
  public int handleExecutionException(
      Exception failure, CommandLine commandLine, ParseResult parsed) throws Exception {
    PrintWriter err = commandLine.getErr();
    if (failure instanceof InvalidRulesException invalid) {
      print(err, invalid);
    } else if (failure instanceof StoreUnavailableException) {
      err.println(failure.getMessage());
    } else {
      throw failure;
    }
    return CommandLine.ExitCode.SOFTWARE;
  }

  static void print(PrintWriter err, InvalidRulesException invalid) {
    err.println(invalid.getMessage());
    printCount(err, invalid);
  }

  static void printAll(PrintWriter err, InvalidRulesException invalid) {
    invalid.faults().forEach(err::println);
    printCount(err, invalid);
  }

  private static void printCount(PrintWriter err, InvalidRulesException invalid) {
    int count = invalid.faults().size();
    err.println(count == 1 ? "1 fault" : count + " faults");
  }
}
