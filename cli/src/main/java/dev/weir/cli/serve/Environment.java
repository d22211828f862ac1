package dev.weir.cli.serve;

import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Options from the environment, for containers: {@code --grpc-port} is {@code WEIR_GRPC_PORT}.
 * Where that is not set, the environment of Envoy's reference service counts, if it is there.
 */
final class Environment implements IDefaultValueProvider {
  private final ReferenceEnvironment reference = new ReferenceEnvironment(System::getenv);

  @Override
  public @Nullable String defaultValue(ArgSpec argument) {
    if (!(argument instanceof OptionSpec option) || option.usageHelp()) {
      return null;
    }
    String own = System.getenv(variable(option.longestName()));
    return own == null ? reference.option(option.longestName()) : own;
  }

  static String variable(String option) {
    return "WEIR_" + option.substring(2).toUpperCase(Locale.ROOT).replace('-', '_');
  }
}
