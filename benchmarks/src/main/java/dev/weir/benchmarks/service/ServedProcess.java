package dev.weir.benchmarks.service;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A JVM that serves one thing. */
final class ServedProcess implements AutoCloseable {
  private final Process process;
  private final BufferedReader out;
  private final PrintWriter in;
  final int port;

  private ServedProcess(Process process) throws IOException {
    this.process = process;
    this.out = process.inputReader();
    this.in = new PrintWriter(process.outputWriter(), true);
    String firstLine = out.readLine();
    if (firstLine == null) {
      throw new IOException("the process that serves has ended; its words are above");
    }
    this.port = Integer.parseInt(firstLine);
  }

  static ServedProcess start(Served served) throws IOException {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx1g",
            "-cp",
            System.getProperty("java.class.path"),
            ServedMain.class.getName(),
            served.name());
    return new ServedProcess(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  /** After a collection. */
  long heapBytes() throws IOException {
    in.println();
    return Long.parseLong(out.readLine());
  }

  /** All memory that the system has given to the process; 0 where it does not tell. */
  long residentBytes() throws IOException {
    Path status = Path.of("/proc/" + process.pid() + "/status");
    if (!Files.exists(status)) {
      return 0;
    }
    return Files.readAllLines(status).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
        .findFirst()
        .orElse(0);
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
