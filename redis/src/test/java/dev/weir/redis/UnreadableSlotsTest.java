package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.Limit;
import dev.weir.StoreUnavailableException;
import dev.weir.testkit.RedisCluster;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A Cluster whose table of slots comes garbled, from a server of another kind for instance. */
@Timeout(120)
final class UnreadableSlotsTest {
  private static final Limit LIMIT = Limit.fixedWindow(5, Duration.ofDays(1));

  @Test
  void aTableThatCannotBeReadIsReadAgainLater() throws IOException {
    try (RedisCluster cluster = RedisCluster.start(1);
        GarblingProxy proxy = new GarblingProxy(cluster.masters().get(0).port());
        RedisStore store =
            RedisStore.builder("redis-cluster://127.0.0.1:" + proxy.port())
                .timeout(Duration.ofSeconds(5))
                .startWithoutServer()
                .build()) {
      Asking asking = Asking.about(store, LIMIT);
      await().atMost(Duration.ofSeconds(30)).until(() -> proxy.garbled.get() > 2);
      assertThatThrownBy(() -> asking.take("key", 1)).isInstanceOf(StoreUnavailableException.class);
      proxy.garbles = false;
      await()
          .atMost(Duration.ofSeconds(30))
          .ignoreException(StoreUnavailableException.class)
          .until(() -> asking.peek("key", 1).fits());
      assertThat(asking.take("key", 1).remaining()).isEqualTo(4);
    }
  }

  /** Replaces the slots in replies by something that is none. */
  private static final class GarblingProxy implements AutoCloseable {
    private final ServerSocket listener = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    private final int serverPort;
    private volatile boolean garbles = true;
    private final AtomicInteger garbled = new AtomicInteger();

    GarblingProxy(int serverPort) throws IOException {
      this.serverPort = serverPort;
      run(this::accept);
    }

    int port() {
      return listener.getLocalPort();
    }

    private void accept() throws IOException {
      while (true) {
        Socket client = listener.accept();
        Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
        run(() -> pump(client, server));
        run(() -> pump(server, client));
      }
    }

    private void pump(Socket from, Socket to) throws IOException {
      try (from;
          to) {
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream();
        byte[] buffer = new byte[65_536];
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
          String text = new String(buffer, 0, read, StandardCharsets.ISO_8859_1);
          out.write(pass(text).getBytes(StandardCharsets.ISO_8859_1));
        }
      }
    }

    private String pass(String text) {
      if (garbles && text.contains("0-16383")) {
        garbled.incrementAndGet();
        return text.replace("0-16383", "0-many!");
      }
      return text;
    }

    private interface Work {
      void run() throws IOException;
    }

    private static void run(Work work) {
      Thread thread =
          new Thread(
              () -> {
                try {
                  work.run();
                } catch (IOException closed) {
                  // the end of a connection or of the proxy
                }
              });
      thread.setDaemon(true);
      thread.start();
    }

    @Override
    public void close() throws IOException {
      listener.close();
    }
  }
}
