package dev.weir.cli.simulate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Tells whether two names are of one file, by whatever links. */
final class SameFile {
  private SameFile() {}

  static boolean is(Path one, Path other) {
    if (one.toAbsolutePath().normalize().equals(other.toAbsolutePath().normalize())) {
      return true;
    }
    try {
      return Files.exists(one) && Files.exists(other) && Files.isSameFile(one, other);
    } catch (IOException unreadable) {
      return false; // opening it says why
    }
  }
}
