package dev.weir.testkit;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A real Redis server on a free port of this machine, for tests: it can be killed, stopped and
 * started again. It keeps nothing on disk. Used by one thread.
 */
public final class RedisProcess implements AutoCloseable {
  private static final int BUS = 10_000;
  private static final int LARGEST_PORT = 65_535;
  private static final Duration STARTUP = Duration.ofSeconds(20);

  private final Path binary;
  private final int port;
  private final List<String> settings;
  private final Map<String, String> environment;
  private final Path folder;
  private Process process;

  private RedisProcess(
      Path binary, int port, List<String> settings, Map<String, String> environment) {
    this.binary = binary;
    this.port = port;
    this.settings = settings;
    this.environment = environment;
    this.folder = temporaryFolder();
    this.process = launch();
  }

  /**
   * Starts the embedded server.
   *
   * @param settings as on the server's command line: {@code "--maxmemory", "1mb"}
   */
  public static RedisProcess start(String... settings) {
    return start(RedisBinary.embedded(), settings);
  }

  public static RedisProcess start(Path binary, String... settings) {
    return new RedisProcess(binary, freePort(), List.of(settings), Map.of());
  }

  /** Starts the embedded server with these variables in its environment. */
  public static RedisProcess startWith(Map<String, String> environment, String... settings) {
    return new RedisProcess(
        RedisBinary.embedded(), freePort(), List.of(settings), Map.copyOf(environment));
  }

  public int port() {
    return port;
  }

  public String uri() {
    return "redis://127.0.0.1:" + port;
  }

  /** Kills the server with SIGKILL. */
  public void kill() {
    process.destroyForcibly();
    awaitExit();
  }

  /** Starts a killed server again, empty, on the same port. */
  public void restart() {
    kill();
    process = launch();
  }

  /** Suspends the server with SIGSTOP; connections stay open, but nothing answers. */
  public void suspend() {
    signal("STOP");
  }

  public void resume() {
    signal("CONT");
  }

  /** Restores the initial state: running, and without data, scripts and statistics. */
  void clear() {
    if (isRunning()) {
      resume();
    } else {
      restart();
    }
    command("FLUSHALL");
    command("SCRIPT", "FLUSH");
    command("CONFIG", "RESETSTAT");
  }

  boolean isRunning() {
    return process.isAlive();
  }

  /** Sends one command and returns the text of the answer, or its first line if it is a list. */
  public String command(String... words) {
    try (Socket socket = connect()) {
      socket.getOutputStream().write(encode(words));
      return readAnswer(socket);
    } catch (IOException e) {
      throw new UncheckedIOException(String.join(" ", words), e);
    }
  }

  /** Sends one command and returns the texts of a list of answers. */
  public List<String> commandList(String... words) {
    try (Socket socket = connect()) {
      socket.getOutputStream().write(encode(words));
      int size = Integer.parseInt(readLine(socket).substring(1));
      List<String> answers = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        socket.getInputStream().read(); // the line feed of what came before
        answers.add(readAnswer(socket));
        socket.getInputStream().read(); // the carriage return behind it
      }
      return answers;
    } catch (IOException e) {
      throw new UncheckedIOException(String.join(" ", words), e);
    }
  }

  /** Logs in, if the server was started with a password. */
  private Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(10_000);
    int password = settings.indexOf("--requirepass") + 1;
    if (password > 0) {
      socket.getOutputStream().write(encode("AUTH", settings.get(password)));
      readLine(socket);
      socket.getInputStream().read(); // the line feed
    }
    return socket;
  }

  @Override
  public void close() {
    signal("CONT");
    kill();
    File[] left = folder.toFile().listFiles();
    for (File file : left == null ? new File[0] : left) {
      file.delete();
    }
    folder.toFile().delete();
  }

  private Process launch() {
    List<String> line = new ArrayList<>(List.of(binary.toString()));
    line.addAll(configuration());
    line.addAll(List.of("--port", String.valueOf(port), "--bind", "127.0.0.1"));
    line.addAll(List.of("--save", "", "--appendonly", "no", "--dir", folder.toString()));
    line.addAll(settings);
    try {
      ProcessBuilder builder =
          new ProcessBuilder(line)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD);
      builder.environment().putAll(environment);
      Process launched = builder.start();
      awaitAnswer(launched);
      return launched;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start " + binary, e);
    }
  }

  /** A Sentinel needs a configuration file that it may rewrite. */
  private List<String> configuration() {
    if (!settings.contains("--sentinel")) {
      return List.of();
    }
    Path file = folder.resolve("sentinel.conf");
    try {
      Files.writeString(file, "");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return List.of(file.toString());
  }

  private void awaitAnswer(Process launched) {
    long deadline = System.nanoTime() + STARTUP.toNanos();
    while (!answers()) {
      if (!launched.isAlive() || System.nanoTime() > deadline) {
        throw new IllegalStateException(binary + " did not start on port " + port);
      }
      LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
    }
  }

  private boolean answers() {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(1_000);
      socket.getOutputStream().write(encode("PING"));
      String answer = readLine(socket);
      return answer.startsWith("+PONG") || answer.contains("NOAUTH");
    } catch (IOException notYet) {
      return false;
    }
  }

  private static byte[] encode(String... words) {
    StringBuilder out = new StringBuilder("*" + words.length + "\r\n");
    for (String word : words) {
      int length = word.getBytes(StandardCharsets.UTF_8).length;
      out.append('$').append(length).append("\r\n").append(word).append("\r\n");
    }
    return out.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static String readAnswer(Socket socket) throws IOException {
    String line = readLine(socket);
    if (!line.startsWith("$") || line.equals("$-1")) {
      return line;
    }
    socket.getInputStream().read(); // the line feed
    byte[] body = socket.getInputStream().readNBytes(Integer.parseInt(line.substring(1)));
    return new String(body, StandardCharsets.UTF_8);
  }

  private static String readLine(Socket socket) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = socket.getInputStream().read();
        c >= 0 && c != '\r';
        c = socket.getInputStream().read()) {
      line.append((char) c);
    }
    return line.toString();
  }

  private void signal(String name) {
    try {
      new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).start().waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void awaitExit() {
    try {
      process.waitFor(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Path temporaryFolder() {
    try {
      return Files.createTempDirectory("weir-redis");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A free port whose Cluster bus port, 10,000 above it, is free too. */
  private static int freePort() {
    while (true) {
      int port = claim(0);
      if (port + BUS <= LARGEST_PORT && claim(port + BUS) > 0) {
        return port;
      }
    }
  }

  private static int claim(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException taken) {
      return -1;
    }
  }
}
