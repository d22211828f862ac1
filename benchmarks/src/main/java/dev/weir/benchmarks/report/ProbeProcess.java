package dev.weir.benchmarks.report;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs a program in a fresh JVM that measures one thing and prints one number. */
public final class ProbeProcess {
  private ProbeProcess() {}

  /**
   * @param probe has a main method
   * @param subject its only argument: what it measures
   */
  public static double run(Class<?> probe, String subject, String... jvmOptions)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(jvmOptions));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), probe.getName(), subject));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(probe.getName() + " could not measure " + subject);
    }
    return Double.parseDouble(printed.strip());
  }
}
