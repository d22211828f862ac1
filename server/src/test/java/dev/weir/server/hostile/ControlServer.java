package dev.weir.server.hostile;

import com.sun.net.httpserver.HttpServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A server in a JVM of its own that nobody attacks: what its answers take is what the machine
 * itself takes at that moment. To one {@link GoodClient} it answers what that expects.
 */
final class ControlServer implements AutoCloseable {
  private final Process process;
  final String url;

  private ControlServer(Process process, int port) {
    this.process = process;
    this.url = "http://localhost:" + port;
  }

  static ControlServer start() throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-Dsun.net.httpserver.nodelay=true",
                "-cp",
                System.getProperty("java.class.path"),
                ControlServer.class.getName())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    BufferedReader out = process.inputReader();
    return new ControlServer(process, Integer.parseInt(String.valueOf(out.readLine())));
  }

  public static void main(String[] arguments) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
    server.createContext(
        "/healthz",
        exchange -> {
          exchange.sendResponseHeaders(200, 2);
          exchange.getResponseBody().write(new byte[] {'o', 'k'});
          exchange.close();
        });
    AtomicInteger checks = new AtomicInteger();
    server.createContext(
        "/v1/check",
        exchange -> {
          exchange.getRequestBody().readAllBytes();
          exchange.sendResponseHeaders(checks.incrementAndGet() % 4 == 0 ? 429 : 200, -1);
          exchange.close();
        });
    server.start();
    System.out.println(server.getAddress().getPort());
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
