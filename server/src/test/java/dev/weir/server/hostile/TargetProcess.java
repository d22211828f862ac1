package dev.weir.server.hostile;

import dev.weir.server.ServerOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A service in a JVM of its own, with a heap as small as a container's. */
final class TargetProcess implements AutoCloseable {
  static final int HEAP_MIB = 256;

  final Process process;
  final int port;
  final int adminPort;
  private final Path log;

  private TargetProcess(Process process, int port, int adminPort, Path log) {
    this.process = process;
    this.port = port;
    this.adminPort = adminPort;
    this.log = log;
  }

  static TargetProcess start(Path directory, Path rules, Optional<ServerOptions.Tls> tls)
      throws IOException {
    Path log = directory.resolve(tls.isPresent() ? "tls.log" : "plain.log");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx" + HEAP_MIB + "m", "-XX:+ExitOnOutOfMemoryError"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(HostileTarget.class.getName(), rules.toString()));
    tls.ifPresent(
        files -> command.addAll(List.of(files.certificate().toString(), files.key().toString())));
    Process process = new ProcessBuilder(command).redirectError(log.toFile()).start();
    BufferedReader out = process.inputReader();
    String[] ports = String.valueOf(out.readLine()).split(" ");
    return new TargetProcess(process, Integer.parseInt(ports[0]), Integer.parseInt(ports[1]), log);
  }

  String log() throws IOException {
    return Files.readString(log);
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
