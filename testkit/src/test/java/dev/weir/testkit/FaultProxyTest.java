package dev.weir.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class FaultProxyTest {
  private static final Duration QUARTER = Duration.ofMillis(250);

  /** A read that takes this long has lost its answer: it fails here, and no build hangs. */
  private static final int HANGS_MILLIS = 10_000;

  private EchoServer server;
  private FaultProxy proxy;

  @BeforeEach
  void open() throws IOException {
    server = new EchoServer();
    proxy = FaultProxy.to(server.port());
  }

  @AfterEach
  void close() throws IOException {
    proxy.close();
    server.close();
  }

  @Test
  void whatIsSentArrivesAndIsCounted() throws IOException {
    try (Socket client = connect()) {
      assertThat(echo(client, "hello")).isEqualTo("hello");
      assertThat(proxy.connections()).isEqualTo(1);
      assertThat(proxy.openConnections()).isEqualTo(1);
      assertThat(proxy.bytesToServer()).isEqualTo(5);
      assertThat(proxy.bytesToClient()).isEqualTo(5);
    }
  }

  @Test
  void eachDirectionIsDelayedOnItsOwn() throws IOException {
    try (Socket client = connect()) {
      assertThat(fastestEcho(client)).isLessThan(QUARTER);
      proxy.delay(QUARTER, Duration.ZERO);
      assertThat(timeOfEcho(client)).isGreaterThanOrEqualTo(QUARTER);
      proxy.delay(Duration.ZERO, QUARTER);
      assertThat(timeOfEcho(client)).isGreaterThanOrEqualTo(QUARTER);
      proxy.delay(QUARTER, QUARTER);
      assertThat(timeOfEcho(client)).isGreaterThanOrEqualTo(QUARTER.multipliedBy(2));
      proxy.pass();
      assertThat(fastestEcho(client)).isLessThan(QUARTER);
    }
  }

  @Test
  void aCutResetsEveryConnection() throws IOException {
    try (Socket one = connect();
        Socket two = connect()) {
      echo(one, "a");
      echo(two, "b");
      proxy.cut();
      assertThatThrownBy(() -> one.getInputStream().read()).isInstanceOf(SocketException.class);
      assertThatThrownBy(() -> two.getInputStream().read()).isInstanceOf(SocketException.class);
      assertThat(proxy.openConnections()).isZero();
    }
  }

  @Test
  void aReplyIsCutAfterSoManyBytesAndOnlyOnce() throws IOException {
    proxy.cutNextReplyAfter(2);
    try (Socket client = connect()) {
      send(client, "hello");
      assertThat(receive(client, 2)).isEqualTo("he");
      assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketException.class);
    }
    try (Socket next = connect()) {
      assertThat(echo(next, "hello")).isEqualTo("hello");
    }
  }

  @Test
  void aDroppedReplyWasAskedForAndEndsInAReset() throws IOException {
    proxy.dropNextReply();
    try (Socket client = connect()) {
      send(client, "hello");
      assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketException.class);
      assertThat(proxy.bytesToServer()).isEqualTo(5);
      assertThat(proxy.bytesToClient()).isZero();
    }
  }

  @Test
  void aLostReplyEndsInSilenceForItsConnectionOnly() throws IOException {
    proxy.loseNextReply();
    try (Socket client = connect();
        Socket other = connect()) {
      send(client, "hello");
      assertSilent(client);
      assertThat(echo(other, "hello")).isEqualTo("hello");
      send(client, "hello");
      assertSilent(client);
    }
  }

  @Test
  void aBlackholeTakesEverythingAndSaysNothing() throws IOException {
    proxy.blackhole();
    try (Socket client = connect()) {
      send(client, "hello");
      assertSilent(client);
      assertThat(proxy.bytesToServer()).isZero();
    }
  }

  @Test
  void aConnectionThatLostBytesNeverPassesAnyAgain() throws IOException {
    try (Socket before = connect();
        Socket idle = connect()) {
      echo(before, "a");
      echo(idle, "a");
      proxy.blackhole();
      send(before, "b");
      assertSilent(before);
      proxy.pass();
      send(before, "c");
      assertSilent(before);
      assertThat(echo(idle, "d")).isEqualTo("d");
    }
  }

  @Test
  void slowMeansSoManyBytesPerSecond() throws IOException {
    try (Socket client = connect()) {
      echo(client, "a");
      proxy.slow(10);
      long start = System.nanoTime();
      assertThat(echo(client, "12345")).isEqualTo("12345");
      assertThat(Duration.ofNanos(System.nanoTime() - start))
          .isGreaterThanOrEqualTo(Duration.ofMillis(400));
      assertThatThrownBy(() -> proxy.slow(0)).hasMessage("bytesPerSecond must be 1 or more, was 0");
    }
  }

  @Test
  void passEndsAHoldAtOnce() throws IOException {
    try (Socket client = connect()) {
      echo(client, "a");
      proxy.delay(Duration.ofHours(1), Duration.ZERO);
      send(client, "b");
      proxy.pass();
      assertThat(receive(client, 1)).isEqualTo("b");
    }
  }

  @Test
  void refusedConnectionsEndAtOnceAndTheOthersGoOn() throws IOException {
    try (Socket before = connect()) {
      echo(before, "a");
      proxy.refuse();
      assertEnds(proxy.port());
      assertThat(echo(before, "b")).isEqualTo("b");
      assertThat(proxy.refusals()).isEqualTo(1);
      proxy.pass();
      try (Socket welcome = connect()) {
        assertThat(echo(welcome, "c")).isEqualTo("c");
      }
    }
  }

  @Test
  void aServerThatDoesNotAnswerEndsTheConnection() throws IOException {
    int nobody;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      nobody = free.getLocalPort();
    }
    try (FaultProxy toNobody = FaultProxy.to(nobody)) {
      assertEnds(toNobody.port());
      assertThat(toNobody.connections()).isZero();
    }
  }

  @Test
  void anEndIsPassedOn() throws IOException {
    try (Socket client = connect()) {
      send(client, "bye");
      client.shutdownOutput();
      assertThat(client.getInputStream().readAllBytes()).hasSize(3);
    }
  }

  @Test
  void manyThreadsGetTheirOwnBytesBack() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<Callable<String>> work = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        String mine = String.valueOf(i).repeat(20_000);
        work.add(
            () -> {
              try (Socket client = connect()) {
                return echo(client, mine).equals(mine) ? "same" : "different";
              }
            });
      }
      for (Future<String> each : threads.invokeAll(work)) {
        assertThat(each.get()).isEqualTo("same");
      }
      assertThat(proxy.bytesToClient()).isEqualTo(160_000);
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void nothingIsLeftAfterClose() throws IOException {
    try (Socket client = connect()) {
      echo(client, "a");
      proxy.delay(Duration.ofHours(1), Duration.ZERO);
      send(client, "held");
      proxy.close();
      assertThat(proxy.openConnections()).isZero();
      assertThatThrownBy(this::connect).isInstanceOf(IOException.class);
      assertThat(Thread.getAllStackTraces().keySet())
          .noneMatch(thread -> thread.getName().startsWith("fault-proxy"));
    }
  }

  private Socket connect() throws IOException {
    return connect(proxy.port());
  }

  private static Socket connect(int port) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(HANGS_MILLIS);
    return socket;
  }

  /** A reset can reach the client while it still connects, or when it reads. */
  private static void assertEnds(int port) {
    assertThatThrownBy(
            () -> {
              try (Socket client = connect(port)) {
                client.getInputStream().read();
              }
            })
        .isInstanceOf(SocketException.class)
        .isNotInstanceOf(ConnectException.class);
  }

  /** Of several, because the machine may be busy with something else during one. */
  private static Duration fastestEcho(Socket client) throws IOException {
    Duration fastest = timeOfEcho(client);
    for (int i = 0; i < 10; i++) {
      Duration next = timeOfEcho(client);
      fastest = next.compareTo(fastest) < 0 ? next : fastest;
    }
    return fastest;
  }

  private static Duration timeOfEcho(Socket client) throws IOException {
    long start = System.nanoTime();
    echo(client, "x");
    return Duration.ofNanos(System.nanoTime() - start);
  }

  private static String echo(Socket client, String text) throws IOException {
    send(client, text);
    return receive(client, text.length());
  }

  private static void send(Socket client, String text) throws IOException {
    client.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
  }

  private static String receive(Socket client, int bytes) throws IOException {
    return new String(client.getInputStream().readNBytes(bytes), StandardCharsets.US_ASCII);
  }

  private static void assertSilent(Socket client) throws IOException {
    client.setSoTimeout(100);
    assertThatThrownBy(() -> client.getInputStream().read())
        .isInstanceOf(SocketTimeoutException.class);
    client.setSoTimeout(HANGS_MILLIS);
  }
}
