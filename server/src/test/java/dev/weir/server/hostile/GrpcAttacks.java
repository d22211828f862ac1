package dev.weir.server.hostile;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** What anonymous clients may do to the port of proxies, with frames of HTTP/2. */
final class GrpcAttacks implements Closeable {
  private static final int MOST_OPEN = 1000;
  private static final int LAST_STREAM = 199;
  private static final int ANNOUNCED = 65_000;
  private static final byte[] PART = new byte[30_000];
  private static final byte[] CANCEL = {0, 0, 0, 8};

  private final int port;
  private final AtomicLong inputs;
  private final Deque<RawHttp2> open = new ArrayDeque<>();

  /**
   * @param inputs counts them
   */
  GrpcAttacks(int port, AtomicLong inputs) {
    this.port = port;
    this.inputs = inputs;
  }

  Map<String, Attacks.Step> all() {
    Map<String, Attacks.Step> all = new LinkedHashMap<>();
    all.put("unfinished messages on all streams of gRPC", this::messages);
    all.put("messages of gRPC byte by byte", this::singleBytes);
    all.put("long fields on all streams of gRPC", this::fields);
    all.put("answers unread on all streams of gRPC", this::unread);
    all.put("streams of gRPC reset at once", this::resets);
    all.put("idle connections of gRPC", this::idle);
    return all;
  }

  private void messages() throws IOException {
    RawHttp2 client = keep(65_535);
    for (int stream = 1; stream <= LAST_STREAM; stream += 2) {
      client.call(stream, Map.of());
      client.data(stream, RawHttp2.message(ANNOUNCED, PART), false);
      inputs.incrementAndGet();
    }
    client.flush();
  }

  private void singleBytes() throws IOException {
    RawHttp2 client = keep(65_535);
    client.call(1, Map.of());
    client.data(1, RawHttp2.message(ANNOUNCED, new byte[0]), false);
    for (int i = 0; i < 2000; i++) {
      client.data(1, new byte[1], false);
    }
    client.flush();
    inputs.incrementAndGet();
  }

  private void fields() throws IOException {
    RawHttp2 client = keep(65_535);
    for (int stream = 1; stream <= LAST_STREAM; stream += 2) {
      client.call(stream, Map.of("x-a", "x".repeat(15_000)));
      inputs.incrementAndGet();
    }
    client.flush();
  }

  private void unread() throws IOException {
    RawHttp2 client = keep(0);
    for (int stream = 1; stream <= LAST_STREAM; stream += 2) {
      client.call(stream, Map.of());
      client.data(stream, RawHttp2.message(0, new byte[0]), true);
      inputs.incrementAndGet();
    }
    client.flush();
  }

  private void resets() throws IOException {
    try (RawHttp2 client = RawHttp2.inCleartext(port, 65_535)) {
      for (int stream = 1; stream < 1000; stream += 2) {
        client.call(stream, Map.of());
        client.frame(RawHttp2.RST_STREAM, 0, stream, CANCEL);
        inputs.incrementAndGet();
      }
      client.flush();
    }
  }

  private void idle() throws IOException {
    keep(65_535);
    inputs.incrementAndGet();
  }

  private RawHttp2 keep(int window) throws IOException {
    if (open.size() >= MOST_OPEN) {
      open.removeFirst().close();
    }
    RawHttp2 client = RawHttp2.inCleartext(port, window);
    open.addLast(client);
    return client;
  }

  @Override
  public void close() throws IOException {
    for (RawHttp2 client : open) {
      client.close();
    }
    open.clear();
  }
}
