package dev.weir.server.connection;

import dev.weir.server.service.SampledLog;
import io.netty.channel.Channel;
import io.vertx.core.net.SocketAddress;
import java.net.InetSocketAddress;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Connections of clients, over HTTP and gRPC, counted from accept on: those in a TLS handshake too.
 * Safe for many threads.
 *
 * <p>Above the bound, the connections that have been idle the longest are closed, so that new ones
 * can be served, especially those of health probes and administrators. A connection is idle since
 * its last request began, or since it was accepted; bytes that trickle in do not count. Connections
 * whose clients came back with further requests are closed after all others. If every connection
 * sent a request within the last second, new connections are refused instead, so that a flood of
 * them does not cut off the clients being served. If fewer idle connections exist than one batch,
 * those accepted within the last moment are not closed. Otherwise a reconnecting client would
 * always be the one evicted, before its first request arrives.
 */
public final class ConnectionRegistry {
  /** Connections are closed in batches, so that a flood does not cause a scan for each new one. */
  private static final int BATCHES = 128;

  /** How many connections above the bound may be open while others are being closed, at least. */
  private static final int LEAST_CLOSING = 100;

  private static final int CLOSING_SHARE = 8;

  private static final Comparator<OpenConnection> FIRST_TO_CLOSE =
      Comparator.comparing(OpenConnection::cameBack)
          .thenComparingLong(OpenConnection::lastUsedMillis);

  private static final SampledLog LOG = new SampledLog(ConnectionRegistry.class);

  private final int most;
  private final int mostWithClosing;
  private final boolean tls;
  private final Map<String, OpenConnection> open = new ConcurrentHashMap<>();
  private final AtomicLong evicted = new AtomicLong();

  /** Evicted, but not closed yet. */
  private final AtomicInteger closing = new AtomicInteger();

  public ConnectionRegistry(int most, boolean tls) {
    this.most = most;
    this.mostWithClosing = most + Math.max(LEAST_CLOSING, most / CLOSING_SHARE);
    this.tls = tls;
  }

  /**
   * Registers a connection; false if there is no room and no idle connection could be closed.
   *
   * @param closesIdleItself whether its server closes it after a time without requests
   */
  boolean accepted(Channel channel, long nowMillis, boolean closesIdleItself) {
    if (open.size() - closing.get() >= most && !makeRoom(nowMillis)) {
      return false;
    }
    OpenConnection connection = new OpenConnection(channel, tls, closesIdleItself, nowMillis);
    String ends = ends(channel);
    open.put(ends, connection);
    // What the protocol held is released by the task that comes next, which may be late.
    channel
        .closeFuture()
        .addListener(closed -> channel.eventLoop().execute(() -> remove(ends, connection)));
    return true;
  }

  /**
   * The counter is decremented before the connection is removed, so that a connection accepted in
   * between never finds more room than there is. In the opposite order, the bound would be exceeded
   * by one permanently.
   */
  private void remove(String ends, OpenConnection connection) {
    if (connection.closed()) {
      closing.decrementAndGet();
    }
    open.remove(ends, connection);
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

  /**
   * A connection counts until it is really closed: its event loop may be late, and it holds its
   * memory until then.
   */
  private boolean makeRoom(long nowMillis) {
    LOG.warn("there are " + most + " connections, the bound: idle ones are closed, others refused");
    return open.size() < mostWithClosing && closeLongestIdle(nowMillis);
  }

  private boolean closeLongestIdle(long nowMillis) {
    Queue<OpenConnection> idle = longestIdle(1 + most / BATCHES, nowMillis);
    if (idle.size() <= most / BATCHES) {
      idle.removeIf(connection -> connection.isFresh(nowMillis));
    }
    for (OpenConnection connection : idle) {
      if (connection.evict()) {
        closing.incrementAndGet();
        evicted.incrementAndGet();
      }
    }
    return !idle.isEmpty();
  }

  /**
   * A bounded heap: its head is the connection that should be closed last, which the next better
   * candidate replaces.
   */
  private Queue<OpenConnection> longestIdle(int count, long nowMillis) {
    PriorityQueue<OpenConnection> idle = new PriorityQueue<>(FIRST_TO_CLOSE.reversed());
    for (OpenConnection connection : open.values()) {
      if (connection.canClose(nowMillis)) {
        idle.add(connection);
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
