package dev.weir.consumers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A command that is run to its end. */
final class Run {
  private static final int PATIENCE_MINUTES = 5;

  private final List<String> command;

  Run(String... command) {
    this.command = List.of(command);
  }

  /**
   * @param output and errors, in the order in which they were written
   */
  record Result(int status, String output) {}

  Result in(Path folder) throws IOException, InterruptedException {
    Path output = Files.createTempFile("run", ".log");
    try {
      Process process =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      if (!process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES)) {
        process.destroyForcibly();
        throw new IOException(command + " did not end; it wrote " + Files.readString(output));
      }
      return new Result(process.exitValue(), Files.readString(output, StandardCharsets.UTF_8));
    } finally {
      Files.delete(output);
    }
  }
}
