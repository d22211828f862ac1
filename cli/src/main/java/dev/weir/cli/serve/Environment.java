package dev.weir.cli.serve;

import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Options from the environment, for containers: {@code --grpc-port} is {@code WEIR_GRPC_PORT}. */
final class Environment implements IDefaultValueProvider {
  @Override
  public @Nullable String defaultValue(ArgSpec argument) {
    return argument instanceof OptionSpec option && !option.usageHelp()
        ? System.getenv(variable(option.longestName()))
        : null;
  }

  static String variable(String option) {
    return "WEIR_" + option.substring(2).toUpperCase(Locale.ROOT).replace('-', '_');
  }
}
