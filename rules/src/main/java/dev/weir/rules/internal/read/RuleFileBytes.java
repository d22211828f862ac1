package dev.weir.rules.internal.read;

import dev.weir.rules.internal.yaml.FaultCollector;
import dev.weir.rules.internal.yaml.SourcePosition;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Reads files; a failure becomes a fault with its reason. */
final class RuleFileBytes {
  private RuleFileBytes() {}

  static byte @Nullable [] read(
      RuleFiles contents, Path file, SourcePosition at, FaultCollector faults) {
    try {
      return contents.read(file);
    } catch (IOException failed) {
      faults.add(at, "cannot read " + file + ": " + reason(failed));
      return null;
    }
  }

  static String reason(IOException failed) {
    if (failed instanceof NoSuchFileException) {
      return "there is no such file";
    }
    if (failed instanceof AccessDeniedException) {
      return "access is denied";
    }
    return String.valueOf(failed.getMessage());
  }
}
