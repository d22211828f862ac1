package dev.weir.server.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The judge of the hostile suite: a service that is slow by itself is found out. */
@Tag("slow")
final class HealthWatchTest {
  @Test
  void aSlowServerIsNotExcusedByAMachineThatIsFast() throws IOException {
    HttpServer slow =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
    slow.setExecutor(Executors.newCachedThreadPool());
    slow.createContext(
        "/healthz",
        exchange -> {
          LockSupport.parkNanos(3_000_000_000L);
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    slow.start();
    HttpClient client = HttpClient.newHttpClient();
    try (ControlServer machine = ControlServer.start();
        HealthWatch control = new HealthWatch(client, machine.url);
        HealthWatch watch =
            new HealthWatch(client, "http://localhost:" + slow.getAddress().getPort())) {
      await().until(() -> watch.asked() >= 1 && control.asked() >= 1);
      assertThat(watch.percentile(1)).isGreaterThanOrEqualTo(3000);
      assertThat(watch.percentileBeyond(control, 1)).isGreaterThan(HostileSuiteTest.MOST_MILLIS);
      assertThat(control.percentileBeyond(control, 1)).isLessThanOrEqualTo(0);
    } finally {
      slow.stop(0);
    }
  }
}
