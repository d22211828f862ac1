package dev.weir.server.proxy;

import dev.weir.testkit.ExternalPrograms;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * A real proxy, as a single process on a free port of this machine. All that it writes is in the
 * folder it is given. Used by one thread.
 */
final class ProxyProcess implements AutoCloseable {
  private static final Duration STARTUP = Duration.ofSeconds(20);

  private static final String NGINX =
      """
      daemon off;
      master_process off;
      pid nginx.pid;
      events {}
      http {
        access_log off;
        client_body_temp_path body;
        proxy_temp_path proxy;
        fastcgi_temp_path fastcgi;
        uwsgi_temp_path uwsgi;
        scgi_temp_path scgi;
        %s
      }
      """;

  private static final String CADDY =
      """
      {
      	admin off
      	default_bind 127.0.0.1
      }
      %s
      """;

  private final int port;
  private final Path log;
  private final Process process;

  private ProxyProcess(int port, Path folder, List<String> line) {
    this.port = port;
    this.log = folder.resolve("log");
    this.process = launch(line, folder);
    awaitStart(line);
  }

  /**
   * @param site with {@code listen 80}
   */
  static ProxyProcess nginx(String site, Path folder) {
    String program = ExternalPrograms.require(find("nginx"), "nginx").toString();
    int port = freePort();
    write(
        folder.resolve("nginx.conf"),
        NGINX.formatted(replace(site, "listen 80;", "listen 127.0.0.1:" + port + ";")));
    return new ProxyProcess(
        port,
        folder,
        List.of(program, "-p", folder.toString(), "-e", "stderr", "-c", "nginx.conf"));
  }

  /**
   * @param site with the address {@code :80}
   */
  static ProxyProcess caddy(String site, Path folder) {
    String program = ExternalPrograms.require(find("caddy"), "caddy").toString();
    int port = freePort();
    write(
        folder.resolve("Caddyfile"),
        CADDY.formatted(replace(site, ":80 {", "http://:" + port + " {")));
    return new ProxyProcess(port, folder, List.of(program, "run"));
  }

  /** Puts another text in the place of one that must be there. */
  static String replace(String text, String old, String other) {
    if (!text.contains(old)) {
      throw new IllegalArgumentException("must contain " + old + ", was\n" + text);
    }
    return text.replace(old, other);
  }

  static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  int port() {
    return port;
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Process launch(List<String> line, Path folder) {
    ProcessBuilder builder =
        new ProcessBuilder(line)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    for (String home : List.of("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME")) {
      builder.environment().put(home, folder.toString());
    }
    try {
      return builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void awaitStart(List<String> line) {
    Awaitility.await()
        .atMost(STARTUP)
        .pollInterval(Duration.ofMillis(10))
        .until(() -> listens() || !process.isAlive());
    if (!process.isAlive()) {
      throw new IllegalStateException(line + " did not start: " + read(log));
    }
  }

  private boolean listens() {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException notYet) {
      return false;
    }
  }

  /** Debian keeps servers where not everybody's PATH leads. */
  private static Optional<Path> find(String program) {
    String path = System.getenv().getOrDefault("PATH", "") + File.pathSeparator + "/usr/sbin";
    return Stream.of(path.split(File.pathSeparator))
        .map(folder -> Path.of(folder, program))
        .filter(Files::isExecutable)
        .findFirst();
  }

  private static void write(Path file, String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
