package dev.weir.cli;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IVersionProvider;

/** The version that the build wrote into the jar's manifest. */
final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    return new String[] {text(Weir.class.getPackage().getImplementationVersion())};
  }

  /** Classes outside a jar, as in an IDE, have no version. */
  static String text(@Nullable String version) {
    return "weir " + Objects.requireNonNullElse(version, "(not packaged)");
  }
}
