package dev.weir.cli.options;

import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** A certificate chain and its private key: two options that must be given together. */
public record CertificateFiles(Path certificate, Path key) {
  /**
   * Empty if neither is given.
   *
   * @param option what the names of both options begin with: {@code --store-tls} for {@code
   *     --store-tls-cert} and {@code --store-tls-key}
   * @throws ParameterException if only one of them is given
   */
  public static Optional<CertificateFiles> of(
      CommandSpec command, String option, @Nullable Path certificate, @Nullable Path key) {
    if ((certificate == null) != (key == null)) {
      throw new ParameterException(
          command.commandLine(), option + "-cert and " + option + "-key must be given together");
    }
    return certificate == null || key == null
        ? Optional.empty()
        : Optional.of(new CertificateFiles(certificate, key));
  }
}
