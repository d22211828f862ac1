package dev.weir.rules.internal.read;

import dev.weir.rules.internal.yaml.Faults;
import dev.weir.rules.internal.yaml.Place;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Reads files, or says in words why not. */
final class FileBytes {
  private FileBytes() {}

  static byte @Nullable [] read(Contents contents, Path file, Place at, Faults faults) {
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
