package dev.weir.server.connection;

import io.netty.channel.Channel;
import io.netty.channel.socket.DuplexChannel;
import java.util.concurrent.atomic.AtomicReference;

/** One connection, and when it last brought a request. Safe for many threads. */
public final class OpenConnection {
  private static final long LINGER_MILLIS = 1000;

  /** How late requests may be read under load; until then their connection only looks idle. */
  private static final long BUSY_MILLIS = 1000;

  /** How long a client may take for its first request before its connection counts as unused. */
  private static final long FRESH_MILLIS = 250;

  private final Channel channel;
  private final boolean tls;
  private final boolean closesIdleItself;
  private final long openedMillis;
  private volatile long lastUsedMillis;
  private volatile boolean used;
  private volatile boolean cameBack;
  private final AtomicReference<ConnectionPhase> phase =
      new AtomicReference<>(ConnectionPhase.OPEN);
  private volatile long closeAtMillis = Long.MAX_VALUE;

  private enum ConnectionPhase {
    OPEN,
    EVICTED,
    CLOSED
  }

  OpenConnection(Channel channel, boolean tls, boolean closesIdleItself, long nowMillis) {
    this.channel = channel;
    this.tls = tls;
    this.closesIdleItself = closesIdleItself;
    this.openedMillis = nowMillis;
    this.lastUsedMillis = nowMillis;
  }

  /** To be called for every request. */
  public void used(long nowMillis) {
    lastUsedMillis = nowMillis;
    if (!used) {
      used = true;
    }
    if (!cameBack && nowMillis - openedMillis >= BUSY_MILLIS && !isAhead()) {
      cameBack = true;
    }
  }

  private boolean isAhead() {
    return channel instanceof TurnTakingChannel turns && turns.isAhead();
  }

  /**
   * Ends the connection after an answer to a request that was not read to its end. To close at once
   * would make the system discard the answer while the client still sends; so the output is closed
   * first, and the client has a moment to read.
   */
  public void closeSoon(long nowMillis) {
    closeAtMillis = nowMillis + LINGER_MILLIS;
    if (!tls && channel instanceof DuplexChannel duplex) {
      duplex.shutdownOutput();
    }
  }

  /** Streams of HTTP/2 end with their answers; to be called once, on the event loop. */
  public void resetUnfinishedStreams() {
    UnfinishedStreamReset.install(channel);
  }

  long lastUsedMillis() {
    return lastUsedMillis;
  }

  /**
   * Whether it brought a request a second or more after it was accepted, as clients do that keep
   * their connections. What was sent ahead and served late does not count.
   */
  boolean cameBack() {
    return cameBack;
  }

  boolean isOver(long nowMillis, long idleMillis) {
    boolean idle = !closesIdleItself && nowMillis - lastUsedMillis > idleMillis;
    return idle || nowMillis >= closeAtMillis;
  }

  /**
   * Whether it may be closed to make room for another. A connection that sent a request just now is
   * not closed in favour of one that has sent none. Before the channel is registered with an event
   * loop it cannot be closed.
   */
  boolean canClose(long nowMillis) {
    boolean idle = !used || nowMillis - lastUsedMillis >= BUSY_MILLIS;
    return idle && phase.get() == ConnectionPhase.OPEN && channel.isRegistered();
  }

  /** Whether it was accepted just now, and its first request may be on its way. */
  boolean isFresh(long nowMillis) {
    return !used && nowMillis - openedMillis < FRESH_MILLIS;
  }

  /** Closes it to make room; false if it is closed or being closed already. */
  boolean evict() {
    boolean first = phase.compareAndSet(ConnectionPhase.OPEN, ConnectionPhase.EVICTED);
    if (first) {
      close();
    }
    return first;
  }

  /** To be called when it is closed; returns whether it had been evicted. */
  boolean closed() {
    return phase.getAndSet(ConnectionPhase.CLOSED) == ConnectionPhase.EVICTED;
  }

  /** Closes at once, without TLS close_notify and without waiting for HTTP/2 requests under way. */
  public void close() {
    channel.eventLoop().execute(() -> channel.unsafe().close(channel.voidPromise()));
  }
}
