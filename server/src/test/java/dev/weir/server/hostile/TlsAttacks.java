package dev.weir.server.hostile;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;

/** What anonymous clients may do over TLS, with frames of HTTP/2 and before any handshake. */
final class TlsAttacks implements Closeable {
  private static final int MOST_OPEN = 150;
  private static final int MOST_SILENT = 3000;
  private static final int LAST_STREAM = 199;
  private static final byte[] PIECE = new byte[300];
  private static final byte[] CANCEL = {0, 0, 0, 8};

  private final SSLContext trusting;
  private final int port;
  private final Deque<RawHttp2> open = new ArrayDeque<>();
  private final Deque<RawConnection> silent = new ArrayDeque<>();
  final AtomicLong inputs = new AtomicLong();

  TlsAttacks(SSLContext trusting, int port) {
    this.trusting = trusting;
    this.port = port;
  }

  Map<String, Attacks.Step> all() {
    Map<String, Attacks.Step> all = new LinkedHashMap<>();
    all.put("unfinished bodies on all streams", this::bodies);
    all.put("long fields on all streams", this::fields);
    all.put("answers unread on all streams", this::unread);
    all.put("streams reset at once", this::resets);
    all.put("connections before their handshake", this::beforeHandshake);
    return all;
  }

  private void bodies() throws IOException {
    RawHttp2 client = keep(65_535);
    for (int stream = 1; stream <= LAST_STREAM; stream += 2) {
      client.head(stream, "POST", "/v1/check", false, Map.of("content-length", "65536"));
      client.data(stream, PIECE, false);
    }
    client.flush();
  }

  private void fields() throws IOException {
    RawHttp2 client = keep(65_535);
    for (int stream = 1; stream <= LAST_STREAM; stream += 2) {
      client.head(stream, "POST", "/v1/check", false, Map.of("x-a", "x".repeat(15_000)));
    }
    client.flush();
  }

  private void unread() throws IOException {
    RawHttp2 client = keep(0);
    for (int stream = 1; stream <= LAST_STREAM; stream += 2) {
      client.head(stream, "GET", "/healthz", true, Map.of());
    }
    client.flush();
  }

  private void resets() throws IOException {
    try (RawHttp2 client = new RawHttp2(trusting, port, 65_535)) {
      for (int stream = 1; stream < 1000; stream += 2) {
        client.head(stream, "GET", "/v1/authorize?uri=/api/x", true, Map.of());
        client.frame(RawHttp2.RST_STREAM, 0, stream, CANCEL);
        inputs.incrementAndGet();
      }
      client.flush();
    }
  }

  private void beforeHandshake() throws IOException {
    if (silent.size() >= MOST_SILENT) {
      silent.removeFirst().close();
    }
    silent.addLast(new RawConnection(port));
    inputs.incrementAndGet();
  }

  private RawHttp2 keep(int window) throws IOException {
    if (open.size() >= MOST_OPEN) {
      open.removeFirst().close();
    }
    RawHttp2 client = new RawHttp2(trusting, port, window);
    open.addLast(client);
    inputs.addAndGet(100);
    return client;
  }

  @Override
  public void close() throws IOException {
    for (RawHttp2 client : open) {
      client.close();
    }
    silent.forEach(RawConnection::close);
    open.clear();
    silent.clear();
  }
}
