package dev.weir.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Runs {@link HeapProbe} for one contender in a fresh JVM. */
final class HeapFork {
  private HeapFork() {}

  static double bytesPerKey(Contender contender) throws IOException, InterruptedException {
    // The serial collector counts objects to the byte; others round large arrays up to regions.
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-Xmx2g",
            "-cp",
            System.getProperty("java.class.path"),
            HeapProbe.class.getName(),
            contender.name());
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException("the heap of " + contender + " could not be measured");
    }
    return Double.parseDouble(printed.strip());
  }
}
