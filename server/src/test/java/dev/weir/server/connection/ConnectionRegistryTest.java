package dev.weir.server.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.junit.jupiter.api.Test;

final class ConnectionRegistryTest {
  private static final InetSocketAddress LOCAL = new InetSocketAddress("127.0.0.1", 80);

  /** So many that two of them are almost none. */
  private static final int MANY = 256;

  private ConnectionRegistry registry = new ConnectionRegistry(3, false);

  @Test
  void theLongestIdleIsClosedForANewConnection() {
    Connection first = accepted(1, 0);
    Connection second = accepted(2, 10);
    Connection third = accepted(3, 20);
    use(first, 30);
    use(second, 40);
    use(third, 50);
    Connection fourth = accepted(4, 2000);
    assertThat(isOpen(first)).isFalse();
    assertThat(isOpen(second)).isTrue();
    assertThat(isOpen(third)).isTrue();
    assertThat(isOpen(fourth)).isTrue();
    assertThat(registry.evicted()).isEqualTo(1);
  }

  @Test
  void whoBroughtARequestJustNowIsNotClosedForANewConnection() {
    Connection[] served = {accepted(1, 0), accepted(2, 0), accepted(3, 0)};
    for (Connection connection : served) {
      use(connection, 1500);
    }
    Connection late = new Connection(4);
    assertThat(registry.accepted(late, 2000, false)).isFalse();
    for (Connection connection : served) {
      assertThat(isOpen(connection)).isTrue();
    }
  }

  @Test
  void whoCameBackWithARequestIsClosedAfterThoseWhoDidNot() {
    Connection kept = accepted(1, 0);
    use(kept, 1000);
    Connection second = accepted(2, 1500);
    use(second, 1500);
    use(accepted(3, 1600), 1600);
    accepted(4, 4000);
    assertThat(isOpen(kept)).isTrue();
    assertThat(isOpen(second)).isFalse();
  }

  @Test
  void whoNeverBroughtARequestIsClosedForANewConnectionHoweverYoung() {
    Connection silent = accepted(1, 1990);
    use(accepted(2, 0), 1500);
    use(accepted(3, 0), 1500);
    accepted(4, 2000);
    assertThat(isOpen(silent)).isFalse();
  }

  @Test
  void whoConnectedJustNowIsSparedWhileAlmostAllOthersAreBusy() {
    registry = new ConnectionRegistry(MANY, false);
    acceptBusy(MANY - 2, 1500);
    Connection fresh = accepted(MANY - 1, 1900);
    Connection waiting = accepted(MANY, 1951);
    assertThat(registry.accepted(new Connection(MANY + 1), 2149, false)).isFalse();
    assertThat(isOpen(fresh)).isTrue();
    assertThat(isOpen(waiting)).isTrue();
    assertThat(registry.evicted()).isZero();
  }

  @Test
  void whoIsSparedButBringsNoRequestSoonIsClosed() {
    registry = new ConnectionRegistry(MANY, false);
    acceptBusy(MANY - 2, 1500);
    Connection silent = accepted(MANY - 1, 1900);
    Connection fresh = accepted(MANY, 1951);
    accepted(MANY + 1, 2150);
    assertThat(isOpen(silent)).isFalse();
    assertThat(isOpen(fresh)).isTrue();
  }

  @Test
  void ofManyUnusedConnectionsTheOldestIsClosedHoweverYoung() {
    registry = new ConnectionRegistry(MANY, false);
    acceptBusy(MANY - 10, 1500);
    Connection oldest = accepted(MANY - 9, 1990);
    for (int port = MANY - 8; port < MANY; port++) {
      accepted(port, 1991);
    }
    Connection youngest = accepted(MANY, 1992);
    accepted(MANY + 1, 2000);
    assertThat(isOpen(oldest)).isFalse();
    assertThat(isOpen(youngest)).isTrue();
  }

  private void acceptBusy(int count, long usedMillis) {
    for (int port = 1; port <= count; port++) {
      use(accepted(port, 0), usedMillis);
    }
  }

  private Connection accepted(int port, long nowMillis) {
    Connection connection = new Connection(port);
    assertThat(registry.accepted(connection, nowMillis, false)).isTrue();
    return connection;
  }

  private void use(Connection connection, long nowMillis) {
    registry.between(LOCAL, connection.peer).orElseThrow().used(nowMillis);
  }

  /** A registry closes connections on their event loops. */
  private static boolean isOpen(Connection connection) {
    connection.runPendingTasks();
    return connection.isOpen();
  }

  /** A channel with addresses, as sockets have. */
  private static final class Connection extends EmbeddedChannel {
    private final InetSocketAddress peer;

    Connection(int port) {
      peer = new InetSocketAddress("127.0.0.2", port);
    }

    @Override
    protected SocketAddress localAddress0() {
      return LOCAL;
    }

    @Override
    protected SocketAddress remoteAddress0() {
      return peer;
    }
  }
}
