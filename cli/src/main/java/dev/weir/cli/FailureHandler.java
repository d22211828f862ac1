package dev.weir.cli;

import dev.weir.StoreUnavailableException;
import dev.weir.cli.rules.FaultText;
import dev.weir.rules.InvalidRulesException;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/** Prints why a command failed and exits with 1; prints a stack trace only for bugs. */
final class FailureHandler implements IExecutionExceptionHandler {
  @Override
  public int handleExecutionException(
      Exception failure, CommandLine commandLine, ParseResult parsed) throws Exception {
    PrintWriter err = commandLine.getErr();
    if (failure instanceof InvalidRulesException invalid) {
      FaultText.print(err, invalid);
    } else if (failure instanceof StoreUnavailableException) {
      err.println(failure.getMessage());
    } else {
      throw failure;
    }
    return CommandLine.ExitCode.SOFTWARE;
  }
}
