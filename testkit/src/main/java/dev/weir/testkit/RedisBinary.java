package dev.weir.testkit;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import redis.embedded.core.ExecutableProvider;

/** Finds a real Redis server. */
public final class RedisBinary {
  private static Path embedded = Path.of("");

  private RedisBinary() {}

  /** Redis 6.2, out of a jar among the dependencies: nothing has to be installed. */
  public static synchronized Path embedded() {
    if (embedded.toString().isEmpty()) {
      try {
        embedded = ExecutableProvider.newJarResourceProvider().get().toPath();
      } catch (IOException e) {
        throw new UncheckedIOException("cannot unpack the embedded Redis", e);
      }
    }
    return embedded;
  }

  /** Redis from the PATH, if it is installed. */
  public static Optional<Path> installed() {
    return onPath("redis-server");
  }

  /** Valkey from the PATH, if it is installed. */
  public static Optional<Path> valkey() {
    return onPath("valkey-server");
  }

  private static Optional<Path> onPath(String program) {
    String path = System.getenv().getOrDefault("PATH", "");
    return Arrays.stream(path.split(File.pathSeparator))
        .map(folder -> Path.of(folder, program))
        .filter(file -> file.toFile().canExecute())
        .findFirst();
  }
}
