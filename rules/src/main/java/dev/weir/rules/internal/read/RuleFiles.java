package dev.weir.rules.internal.read;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Where a reader gets files from: the disk, or a consistent snapshot of it. */
public interface RuleFiles {
  /** At most one byte more than a rules file may have. */
  byte[] read(Path file) throws IOException;

  /** A file as itself; a directory as the rule files in it, by name. */
  List<Path> files(Path fileOrDirectory) throws IOException;
}
