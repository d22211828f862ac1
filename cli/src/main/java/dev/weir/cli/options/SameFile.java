package dev.weir.cli.options;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Whether two paths name the same file, also through links. */
public final class SameFile {
  private SameFile() {}

  public static boolean is(Path one, Path other) {
    if (one.toAbsolutePath().normalize().equals(other.toAbsolutePath().normalize())) {
      return true;
    }
    try {
      return Files.exists(one) && Files.exists(other) && Files.isSameFile(one, other);
    } catch (IOException unreadable) {
      return false; // opening the file will report the reason
    }
  }
}
