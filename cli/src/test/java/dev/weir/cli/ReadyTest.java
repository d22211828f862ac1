package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.weir.cli.console.Terminal;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class ReadyTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final AtomicInteger status = new AtomicInteger(200);
  private HttpServer service;

  @BeforeEach
  void start() throws IOException {
    service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    service.createContext(
        "/readyz",
        exchange -> {
          exchange.sendResponseHeaders(status.get(), -1);
          exchange.close();
        });
    service.start();
  }

  @AfterEach
  void stop() {
    service.stop(0);
  }

  @Test
  void exitsWithZeroOnlyWhileTheServiceIsReady() {
    assertThat(ready("http://127.0.0.1:" + service.getAddress().getPort())).isZero();
    status.set(503);
    assertThat(ready("http://127.0.0.1:" + service.getAddress().getPort())).isEqualTo(1);
    assertThat(out.toString().lines()).containsExactly("ready", "not ready: 503");
  }

  @Test
  void aServiceThatIsNotThereIsNotReady() {
    int port = service.getAddress().getPort();
    service.stop(0);
    assertThat(ready("http://127.0.0.1:" + port)).isEqualTo(1);
    assertThat(out.toString()).startsWith("not reached: http://127.0.0.1:" + port + "/readyz");
  }

  @Test
  void anAddressWithoutSchemeIsAUsageError() {
    assertThat(ready("localhost:8080")).isEqualTo(2);
    assertThat(err.toString())
        .startsWith("--url must be http://host:port or https://host:port, was localhost:8080");
  }

  private int ready(String url) {
    return Weir.run(
        Terminal.PLAIN,
        new PrintWriter(out, true),
        new PrintWriter(err, true),
        "ready",
        "--url",
        url);
  }
}
