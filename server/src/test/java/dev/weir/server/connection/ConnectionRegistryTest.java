package dev.weir.server.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.junit.jupiter.api.Test;

final class ConnectionRegistryTest {
  private static final InetSocketAddress LOCAL = new InetSocketAddress("127.0.0.1", 80);

  private final ConnectionRegistry registry = new ConnectionRegistry(3, false);

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
  void whoNeverBroughtARequestIsClosedForANewConnectionHoweverYoung() {
    Connection silent = accepted(1, 1990);
    use(accepted(2, 0), 1500);
    use(accepted(3, 0), 1500);
    accepted(4, 2000);
    assertThat(isOpen(silent)).isFalse();
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
