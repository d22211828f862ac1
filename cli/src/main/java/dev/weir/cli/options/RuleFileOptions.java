package dev.weir.cli.options;

import dev.weir.rules.RuleSet;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Which rule files a command reads. */
public final class RuleFileOptions {
  /** The file that is read if none is named. */
  public static final Path DEFAULT_FILE = Path.of("weir.yaml");

  @Option(
      names = "--config",
      paramLabel = "<file>",
      description = "Rule file, or directory with rule files; may be repeated. Default: weir.yaml")
  private List<Path> config = List.of();

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  /** Whether or not they exist. */
  public List<Path> files() {
    return config.isEmpty() ? List.of(DEFAULT_FILE) : config;
  }

  /** Whether no file was named. */
  public boolean isDefault() {
    return config.isEmpty();
  }

  public RuleSet load() {
    if (config.isEmpty() && !Files.exists(DEFAULT_FILE)) {
      throw new ParameterException(
          spec.commandLine(),
          "--config is needed: there is no " + DEFAULT_FILE + " in this directory");
    }
    return RuleSet.load(files().toArray(Path[]::new));
  }
}
