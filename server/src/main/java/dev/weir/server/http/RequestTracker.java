package dev.weir.server.http;

import dev.weir.server.connection.ConnectionRegistry;
import dev.weir.server.connection.OpenConnection;
import io.vertx.core.Context;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.internal.ContextInternal;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * The requests under way on one event loop: what they hold, and which of them take too long. Used
 * by that event loop alone.
 *
 * <p>All have the same time limit, so the first to begin is the first to be late: one list in that
 * order, checked periodically, replaces a timer per request.
 */
public final class RequestTracker {
  private final ContextInternal loop;
  private final RequestMemory memory;
  private final ConnectionRegistry connections;
  private final long mostMillis;
  private final BooleanSupplier closing;
  private final AtomicLong heldHere;
  private final UnfinishedRequestQueue unfinished = new UnfinishedRequestQueue();
  private final Map<HttpConnection, OpenConnection> open = new IdentityHashMap<>();

  /**
   * @param mostMillis how long a body, or the reading of an answer, may take
   * @param closing whether every answer is the last of its connection
   */
  public RequestTracker(
      Context context,
      RequestMemory memory,
      ConnectionRegistry connections,
      long mostMillis,
      BooleanSupplier closing) {
    this.loop = (ContextInternal) context;
    this.memory = memory;
    this.connections = connections;
    this.mostMillis = mostMillis;
    this.closing = closing;
    this.heldHere = memory.addLoop();
    memory.onPressure(() -> context.runOnContext(on -> makeRoomHere()));
  }

  /** To be called for every connection that is ready for requests. */
  public void opened(HttpConnection connection) {
    connections
        .between(connection.localAddress(), connection.remoteAddress())
        .ifPresent(
            counted -> {
              open.put(connection, counted);
              connection.closeHandler(closed -> open.remove(connection));
            });
  }

  boolean isClosing() {
    return closing.getAsBoolean();
  }

  void used(HttpConnection connection, long nowMillis) {
    OpenConnection counted = open.get(connection);
    if (counted != null) {
      counted.used(nowMillis);
    }
  }

  void closeSoon(HttpConnection connection) {
    OpenConnection counted = open.get(connection);
    if (counted == null) {
      connection.close();
    } else {
      counted.closeSoon(System.currentTimeMillis());
    }
  }

  /** Does not wait until the client has read what was written, which may never happen. */
  void closeNow(HttpConnection connection) {
    OpenConnection counted = open.get(connection);
    if (counted == null) {
      connection.close();
    } else {
      counted.close();
    }
  }

  void add(UnfinishedRequest request) {
    unfinished.add(request);
  }

  /** To be called when it is done, however it ended. */
  void remove(UnfinishedRequest request) {
    unfinished.remove(request);
  }

  /** Only this event loop writes the number, so no atomic instruction is needed. */
  void hold(long bytes) {
    assert loop.inThread() : "not on the event loop of this tracker";
    heldHere.lazySet(heldHere.getPlain() + bytes);
  }

  void release(long bytes) {
    hold(-bytes);
  }

  /** Whether there is room for one more request; other requests are given up to make some. */
  boolean hasRoom() {
    if (!memory.isHigh()) {
      return true;
    }
    makeRoomHere();
    if (memory.isHigh()) {
      memory.askAllForRoom();
    }
    return !memory.isFull();
  }

  private void makeRoomHere() {
    List<UnfinishedRequest> dropped = unfinished.drop(memory::isHigh);
    dropped.forEach(UnfinishedRequest::giveUp);
    memory.countGivenUp(dropped.size());
  }

  /** Gives up a request that there is no room for. */
  void giveUp(UnfinishedRequest request) {
    unfinished.remove(request);
    request.giveUp();
    memory.countGivenUp(1);
  }

  /** Ends those that take too long; to be called every second or so. */
  public void endLate(long nowNanos) {
    unfinished
        .removeBefore(nowNanos - TimeUnit.MILLISECONDS.toNanos(mostMillis))
        .forEach(request -> request.endLate(mostMillis));
  }
}
