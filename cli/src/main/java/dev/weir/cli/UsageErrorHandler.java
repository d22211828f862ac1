package dev.weir.cli;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says what was wrong, and where the help is: the help itself would bury it. */
final class UsageErrorHandler implements IParameterExceptionHandler {
  @Override
  public int handleParseException(ParameterException wrong, String[] args) {
    CommandLine command = wrong.getCommandLine();
    PrintWriter err = command.getErr();
    err.println(wrong.getMessage());
    UnmatchedArgumentException.printSuggestions(wrong, err);
    err.println(command.getCommandSpec().qualifiedName() + " --help shows how to ask.");
    return command.getCommandSpec().exitCodeOnInvalidInput();
  }
}
