package dev.weir.server.http;

import io.vertx.core.http.HttpConnection;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Bounds how many connections there are, and how long one may go without a whole request: bytes
 * that trickle in do not count. Used by one event loop; the number is shared by all.
 */
public final class ConnectionLimit {
  private final int most;
  private final long idleMillis;
  private final AtomicInteger open;
  private final Map<HttpConnection, Long> lastRequestMillis = new IdentityHashMap<>();

  public ConnectionLimit(int most, long idleMillis, AtomicInteger open) {
    this.most = most;
    this.idleMillis = idleMillis;
    this.open = open;
  }

  public void opened(HttpConnection connection) {
    if (open.incrementAndGet() > most) {
      open.decrementAndGet();
      connection.close();
      return;
    }
    lastRequestMillis.put(connection, System.currentTimeMillis());
    connection.closeHandler(
        closed -> {
          lastRequestMillis.remove(connection);
          open.decrementAndGet();
        });
  }

  public void used(HttpConnection connection, long nowMillis) {
    lastRequestMillis.replace(connection, nowMillis);
  }

  /** Closes those without a request for too long; to be called every second or so. */
  public void closeIdle(long nowMillis) {
    lastRequestMillis.entrySet().stream()
        .filter(entry -> nowMillis - entry.getValue() > idleMillis)
        .map(Map.Entry::getKey)
        .toList()
        .forEach(HttpConnection::close);
  }
}
