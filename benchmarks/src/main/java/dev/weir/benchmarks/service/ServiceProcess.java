package dev.weir.benchmarks.service;

import dev.weir.benchmarks.service.ServiceVariant.VariantMain;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A JVM that serves one thing. Used by one thread. */
public final class ServiceProcess implements AutoCloseable {
  private final Process process;
  private final BufferedReader out;
  private final PrintWriter in;
  private final int port;

  private ServiceProcess(Process process) throws IOException {
    this.process = process;
    this.out = process.inputReader();
    this.in = new PrintWriter(process.outputWriter(), true);
    String firstLine = out.readLine();
    if (firstLine == null) {
      throw new IOException("the process that serves has ended; its words are above");
    }
    this.port = Integer.parseInt(firstLine);
  }

  static ServiceProcess start(ServiceVariant variant) throws IOException {
    return start(VariantMain.class, ProcessBuilder.Redirect.INHERIT, variant.name());
  }

  /**
   * @param store the address of the store that the variant uses
   */
  static ServiceProcess start(ServiceVariant variant, String store) throws IOException {
    return start(VariantMain.class, ProcessBuilder.Redirect.INHERIT, variant.name(), store);
  }

  /**
   * @param main a class that serves by {@link Child}
   * @param log where its errors and log lines go
   */
  public static ServiceProcess start(
      Class<?> main, ProcessBuilder.Redirect log, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx1g", "-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(arguments));
    return new ServiceProcess(new ProcessBuilder(command).redirectError(log).start());
  }

  public int port() {
    return port;
  }

  /** After a collection. */
  public long heapBytes() throws IOException {
    in.println();
    return Long.parseLong(out.readLine());
  }

  /** All memory that the system has given to the process; 0 where it does not tell. */
  public long residentBytes() throws IOException {
    return status("VmRSS:") * 1024;
  }

  /**
   * What the process has used of all processors since it started; 0 where the system does not tell.
   */
  Duration processorTime() {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  /** Threads of the system; 0 where it does not tell. */
  public long threads() throws IOException {
    return status("Threads:");
  }

  /** Open files and sockets; 0 where the system does not tell. */
  public long openFiles() throws IOException {
    Path folder = Path.of("/proc/" + process.pid() + "/fd");
    if (!Files.exists(folder)) {
      return 0;
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.count();
    }
  }

  private long status(String field) throws IOException {
    Path status = Path.of("/proc/" + process.pid() + "/status");
    if (!Files.exists(status)) {
      return 0;
    }
    return Files.readAllLines(status).stream()
        .filter(line -> line.startsWith(field))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .findFirst()
        .orElse(0);
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }

  /**
   * The life of a JVM that serves one thing: prints its port, then the heap in use for every line
   * that it is sent, and ends with its input.
   */
  public static final class Child {
    private static final int COLLECTIONS = 4;

    private Child() {}

    /** Starts to serve, for as long as the process lives; returns the port. */
    public interface Start {
      int start() throws IOException;
    }

    public static void untilInputEnds(Start start) throws IOException {
      System.out.println(port(start));
      BufferedReader lines =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      while (lines.readLine() != null) {
        System.out.println(usedBytes());
      }
      System.exit(0);
    }

    /** Exits if the start fails, because threads that have started would keep the process alive. */
    private static int port(Start start) throws IOException {
      try {
        return start.start();
      } catch (RuntimeException failed) {
        failed.printStackTrace();
        System.exit(1);
        throw failed;
      }
    }

    private static long usedBytes() {
      for (int i = 0; i < COLLECTIONS; i++) {
        System.gc();
      }
      return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
  }
}
