package dev.weir.rules.internal.read;

import dev.weir.rules.internal.yaml.YamlReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Files as they are at this moment. */
public final class DiskRuleFiles implements RuleFiles {
  /** Only regular files: reading a pipe or a device may never end, or block from the start. */
  @Override
  public byte[] read(Path file) throws IOException {
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      throw new IOException("it is not a regular file");
    }
    try (InputStream in = Files.newInputStream(file)) {
      return in.readNBytes(YamlReader.MAX_BYTES + 1);
    }
  }

  /** Hidden names are left out: Kubernetes keeps its versions in {@code ..data} and the like. */
  @Override
  public List<Path> files(Path fileOrDirectory) throws IOException {
    if (!Files.isDirectory(fileOrDirectory)) {
      return List.of(fileOrDirectory);
    }
    try (Stream<Path> entries = Files.list(fileOrDirectory)) {
      return entries
          .filter(entry -> isRuleFile(entry.getFileName().toString()))
          .filter(Files::isRegularFile)
          .sorted()
          .toList();
    }
  }

  private static boolean isRuleFile(String name) {
    return !name.startsWith(".") && (name.endsWith(".yaml") || name.endsWith(".yml"));
  }
}
