package dev.weir.server.http;

import dev.weir.server.connection.ConnectionRegistry;
import dev.weir.server.connection.OpenConnection;
import io.vertx.core.Context;
import io.vertx.core.http.HttpConnection;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * The requests under way on one event loop: what they hold, and which of them take too long. Used
 * by that event loop alone.
 *
 * <p>All have the same time limit, so the first to begin is the first to be late: one set in
 * insertion order, checked periodically, replaces a timer per request.
 */
public final class RequestTracker {
  private final RequestMemory memory;
  private final ConnectionRegistry connections;
  private final long mostMillis;
  private final BooleanSupplier closing;
  private final Set<Unfinished> unfinished = new LinkedHashSet<>();
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
    this.memory = memory;
    this.connections = connections;
    this.mostMillis = mostMillis;
    this.closing = closing;
    memory.onPressure(() -> context.runOnContext(on -> makeRoomHere()));
  }

  /** A request whose body has not arrived, or whose answer has not been read. */
  interface Unfinished {
    long beganMillis();

    /** Ends a request that has taken too long. */
    void endLate(long mostMillis);

    /** Releases its memory for other requests; false if it is an administrator's. */
    boolean drop();

    /** Answers the client of a dropped request. */
    void giveUp();
  }

  /** To be called for every connection that is ready for requests. */
  public void opened(HttpConnection connection) {
    connections
        .from(connection.remoteAddress())
        .ifPresent(
            counted -> {
              open.put(connection, counted);
              connection.closeHandler(closed -> open.remove(connection));
            });
  }

  boolean isClosing() {
    return closing.getAsBoolean();
  }

  void used(HttpConnection connection) {
    OpenConnection counted = open.get(connection);
    if (counted != null) {
      counted.used(System.currentTimeMillis());
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

  void add(Unfinished request) {
    unfinished.add(request);
  }

  /** To be called when it is done, however it ended. */
  void remove(Unfinished request) {
    unfinished.remove(request);
  }

  void hold(long bytes) {
    memory.add(bytes);
  }

  void release(long bytes) {
    memory.release(bytes);
  }

  /** Whether one more request can be taken, after others were given up for it if need be. */
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
    List<Unfinished> dropped = new ArrayList<>();
    Iterator<Unfinished> oldestFirst = unfinished.iterator();
    while (memory.isHigh() && oldestFirst.hasNext()) {
      Unfinished request = oldestFirst.next();
      if (request.drop()) {
        oldestFirst.remove();
        dropped.add(request);
      }
    }
    dropped.forEach(Unfinished::giveUp);
    memory.countGivenUp(dropped.size());
  }

  /** Ends those that take too long; to be called every second or so. */
  public void endLate(long nowMillis) {
    List<Unfinished> late = new ArrayList<>();
    for (Unfinished request : unfinished) {
      if (nowMillis - request.beganMillis() < mostMillis) {
        break;
      }
      late.add(request);
    }
    unfinished.removeAll(late);
    late.forEach(request -> request.endLate(mostMillis));
  }
}
