package dev.weir.server.connection;

import dev.weir.server.service.SampledLog;
import io.netty.channel.Channel;
import io.vertx.core.net.SocketAddress;
import java.net.InetSocketAddress;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Connections of clients, over HTTP and gRPC, counted from accept on: those in a TLS handshake too.
 * Safe for many threads.
 *
 * <p>Above the bound, the connections without a request for the longest time are closed, so that
 * new ones are served: above all health probes and administrators. A connection is idle since its
 * last request began, or since it was accepted; bytes that trickle in do not count. While all
 * brought a request within the last second, new connections are refused instead: a flood of them
 * does not cut off those that are served.
 */
public final class ConnectionRegistry {
  /** Connections are closed in batches, so that a flood does not cause a scan for each new one. */
  private static final int BATCHES = 128;

  private static final SampledLog LOG = new SampledLog(ConnectionRegistry.class);

  private final int most;
  private final boolean tls;
  private final Map<String, OpenConnection> open = new ConcurrentHashMap<>();
  private final AtomicLong evicted = new AtomicLong();

  public ConnectionRegistry(int most, boolean tls) {
    this.most = most;
    this.tls = tls;
  }

  /**
   * Registers a connection; false if there is no room and no idle connection could be closed.
   *
   * @param closesIdleItself whether its server closes it after a time without requests
   */
  boolean accepted(Channel channel, long nowMillis, boolean closesIdleItself) {
    if (open.size() >= most && !closeLongestIdle(1 + most / BATCHES, nowMillis)) {
      return false;
    }
    OpenConnection connection = new OpenConnection(channel, tls, closesIdleItself, nowMillis);
    String ends = ends(channel);
    open.put(ends, connection);
    channel.closeFuture().addListener(closed -> open.remove(ends, connection));
    return true;
  }

  /** The connection between two addresses, if it is still open. */
  public Optional<OpenConnection> between(SocketAddress local, SocketAddress peer) {
    return Optional.ofNullable(
        open.get(ends(local.hostAddress(), local.port(), peer.hostAddress(), peer.port())));
  }

  /** The same, for addresses of Java. */
  public Optional<OpenConnection> between(InetSocketAddress local, InetSocketAddress peer) {
    return Optional.ofNullable(open.get(ends(local, peer)));
  }

  /** Closes those without a request for too long; to be called every second or so. */
  public void closeIdle(long nowMillis, long idleMillis) {
    open.values().stream()
        .filter(connection -> connection.isOver(nowMillis, idleMillis))
        .forEach(OpenConnection::close);
  }

  public int size() {
    return open.size();
  }

  /** How many were closed to make room, ever. */
  public long evicted() {
    return evicted.get();
  }

  private boolean closeLongestIdle(int count, long nowMillis) {
    LOG.warn("there are " + most + " connections, the bound: idle ones are closed, others refused");
    PriorityQueue<Map.Entry<String, OpenConnection>> idle = longestIdle(count, nowMillis);
    for (Map.Entry<String, OpenConnection> entry : idle) {
      if (open.remove(entry.getKey(), entry.getValue())) {
        entry.getValue().close();
        evicted.incrementAndGet();
      }
    }
    return !idle.isEmpty();
  }

  /** Of the selected ones, the most recently used comes first, as it is the one to replace. */
  private PriorityQueue<Map.Entry<String, OpenConnection>> longestIdle(int count, long nowMillis) {
    PriorityQueue<Map.Entry<String, OpenConnection>> idle =
        new PriorityQueue<>(
            Comparator.comparingLong(
                (Map.Entry<String, OpenConnection> entry) -> -entry.getValue().lastUsedMillis()));
    for (Map.Entry<String, OpenConnection> entry : open.entrySet()) {
      if (entry.getValue().canClose(nowMillis)) {
        idle.add(entry);
        if (idle.size() > count) {
          idle.remove();
        }
      }
    }
    return idle;
  }

  /**
   * Both ends, because one address and port of a client can be connected to several addresses and
   * ports of this machine. A peer that has disconnected has no address; then the id of the channel
   * is used.
   */
  private static String ends(Channel channel) {
    return channel.localAddress() instanceof InetSocketAddress local
            && channel.remoteAddress() instanceof InetSocketAddress peer
        ? ends(local, peer)
        : channel.id().asLongText();
  }

  private static String ends(InetSocketAddress local, InetSocketAddress peer) {
    return ends(
        local.getAddress().getHostAddress(),
        local.getPort(),
        peer.getAddress().getHostAddress(),
        peer.getPort());
  }

  private static String ends(String localHost, int localPort, String peerHost, int peerPort) {
    return localHost + "/" + localPort + "/" + peerHost + "/" + peerPort;
  }
}
