package dev.weir.server.hostile;

import dev.weir.server.RunningService;
import dev.weir.server.ServerOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A service in a JVM of its own, with a heap as small as a container's: the runnable jar that
 * {@code -Dweir.jar} names, or else {@link HostileTarget} from the class path, because the jar is
 * built after these tests. {@code -Dweir.target-options} adds options of the JVM, such as {@code
 * -Xlog:safepoint}.
 */
final class TargetProcess implements AutoCloseable {
  static final int HEAP_MIB = 256;
  private static final String SERVE =
      "serve --host 127.0.0.1 --port 0 --admin-port 0 --grpc-port 0 --store memory --drain 0"
          + " --warm-up 0";
  private static final Pattern PORTS =
      Pattern.compile("serves on \\S+:(\\d+)\n.*metrics +\\S+:(\\d+)/", Pattern.DOTALL);
  private static final Pattern GRPC_PORT = Pattern.compile("gRPC on port (\\d+)");

  final Process process;
  final int port;
  final int adminPort;
  final int grpcPort;
  private final Path log;

  private TargetProcess(Process process, int port, int adminPort, int grpcPort, Path log) {
    this.process = process;
    this.port = port;
    this.adminPort = adminPort;
    this.grpcPort = grpcPort;
    this.log = log;
  }

  static TargetProcess start(Path directory, Path rules, Optional<ServerOptions.Tls> tls)
      throws IOException {
    Path log = directory.resolve(tls.isPresent() ? "tls.log" : "plain.log");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx" + HEAP_MIB + "m", "-XX:+ExitOnOutOfMemoryError"));
    command.add("-XX:MaxGCPauseMillis=50"); // as ./weir does
    String more = System.getProperty("weir.target-options", "");
    command.addAll(more.isEmpty() ? List.of() : List.of(more.split(" ")));
    String jar = System.getProperty("weir.jar", "");
    command.addAll(jar.isEmpty() ? fromClassPath(rules, tls) : fromJar(jar, rules, tls));
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(log.toFile());
    builder.environment().put("WEIR_ADMIN_TOKEN", RunningService.TOKEN);
    Process process = builder.start();
    BufferedReader out = process.inputReader();
    return jar.isEmpty() ? ofTest(process, out, log) : ofJar(process, out, log);
  }

  private static List<String> fromClassPath(Path rules, Optional<ServerOptions.Tls> tls) {
    List<String> command = new ArrayList<>();
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(HostileTarget.class.getName(), rules.toString()));
    tls.ifPresent(
        files -> command.addAll(List.of(files.certificate().toString(), files.key().toString())));
    return command;
  }

  private static List<String> fromJar(String jar, Path rules, Optional<ServerOptions.Tls> tls) {
    List<String> command = new ArrayList<>(List.of("-jar", jar));
    command.addAll(List.of(SERVE.split(" ")));
    command.addAll(List.of("--config", rules.toString()));
    tls.ifPresent(
        files -> {
          command.addAll(List.of("--tls-cert", files.certificate().toString()));
          command.addAll(List.of("--tls-key", files.key().toString()));
        });
    return command;
  }

  private static TargetProcess ofTest(Process process, BufferedReader out, Path log)
      throws IOException {
    String[] ports = String.valueOf(out.readLine()).split(" ");
    return new TargetProcess(
        process,
        Integer.parseInt(ports[0]),
        Integer.parseInt(ports[1]),
        Integer.parseInt(ports[2]),
        log);
  }

  /** The start screen shows the port, and that of the administrators as that of the metrics. */
  private static TargetProcess ofJar(Process process, BufferedReader out, Path log)
      throws IOException {
    StringBuilder screen = new StringBuilder();
    String line = out.readLine();
    while (line != null && !line.contains("Ctrl-C")) {
      screen.append(line).append('\n');
      line = out.readLine();
    }
    Matcher ports = PORTS.matcher(screen);
    Matcher grpcPort = GRPC_PORT.matcher(screen);
    if (!ports.find() || !grpcPort.find()) {
      throw new IOException("cannot start: " + screen + Files.readString(log));
    }
    return new TargetProcess(
        process,
        Integer.parseInt(ports.group(1)),
        Integer.parseInt(ports.group(2)),
        Integer.parseInt(grpcPort.group(1)),
        log);
  }

  /** Nothing while it runs; else its exit code and the last words of it and of its JVM. */
  String end() throws IOException {
    return process.isAlive()
        ? ""
        : "exit code "
            + process.exitValue()
            + "\n"
            + process.inputReader().readLine()
            + "\n"
            + log();
  }

  String log() throws IOException {
    return Files.readString(log);
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
