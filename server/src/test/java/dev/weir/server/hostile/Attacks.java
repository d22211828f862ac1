package dev.weir.server.hostile;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What anonymous clients may do in cleartext. Each attack is one step that is repeated; it keeps
 * the connections it needs open, so many at most, and counts its inputs.
 */
final class Attacks implements Closeable {
  private static final String CHECK = "POST /v1/check HTTP/1.1\r\nHost: a\r\n";
  private static final String GET = " HTTP/1.1\r\nHost: a\r\n\r\n";
  private static final String EURO_IN_UTF_8 = "\u00e2\u0082\u00ac"; // sent as ISO 8859-1
  private static final int MOST_OPEN = 4000;

  /**
   * For answers to requests that were sent ahead. They take turns with those of the attack before,
   * which may last longer than an attack.
   */
  private static final int PATIENCE_MILLIS = 2000;

  private final int port;
  private final Random random;
  private final Deque<RawConnection> open = new ArrayDeque<>();
  final AtomicLong inputs = new AtomicLong();

  Attacks(int port, long seed) {
    this.port = port;
    this.random = new Random(seed);
  }

  /** One step of an attack; fails when the service closes what it was using. */
  interface Step {
    void run() throws IOException;
  }

  Map<String, Step> all() {
    Map<String, Step> all = new LinkedHashMap<>();
    all.put("keys until the store is full", this::newKeys);
    all.put("heads, bodies and keys at once", this::everythingThatHoldsMemory);
    all.put("unfinished bodies of an announced length", this::announcedBodies);
    all.put("unfinished bodies in chunks", this::chunkedBodies);
    all.put("unfinished heads", this::heads);
    all.put("idle connections", this::idle);
    all.put("requests sent ahead, answers unread", this::unread);
    all.put("mutated questions", this::mutations);
    all.put("long keys, each of them new", this::longKeys);
    all.put("noise", this::noise);
    all.put("large answers for anybody who asks", this::largeAnswers);
    return all;
  }

  private void newKeys() throws IOException {
    StringBuilder requests = new StringBuilder();
    for (int i = 0; i < 50; i++) {
      String key = random.nextLong() + EURO_IN_UTF_8.repeat(220);
      String body = "{\"attributes\": {\"path\": \"/flooded\", \"user\": \"" + key + "\"}}";
      requests.append(CHECK).append("Content-Length: ").append(body.length());
      requests.append("\r\n\r\n").append(body);
    }
    try (RawConnection connection = new RawConnection(port).waitingAtMost(PATIENCE_MILLIS)) {
      connection.send(requests.toString()).readUntil("HTTP/1.1 ", 50);
    }
    inputs.addAndGet(50);
  }

  private void everythingThatHoldsMemory() throws IOException {
    heads();
    announcedBodies();
    chunkedBodies();
    if (open.size() % 20 == 0) {
      newKeys();
    }
  }

  private void announcedBodies() throws IOException {
    keep().send(CHECK + "Content-Length: 65536\r\n\r\n" + "x".repeat(random.nextInt(40_000)));
  }

  private void chunkedBodies() throws IOException {
    keep()
        .send(
            CHECK
                + "Transfer-Encoding: chunked\r\n\r\nea60\r\n"
                + "x".repeat(60_000)
                + "\r\n1\r\n");
  }

  private void heads() throws IOException {
    keep().send("GET /" + "p".repeat(8000) + " HTTP/1.1\r\nX: " + "x".repeat(16_000));
  }

  private void idle() throws IOException {
    keep();
  }

  private void unread() throws IOException {
    keep(RawConnection.withSmallBuffer(port))
        .sendWhatFits(("GET /healthz" + GET).repeat(200) + ("GET /" + GET).repeat(2000));
    inputs.addAndGet(2200);
  }

  private void mutations() throws IOException {
    String body = "{\"attributes\": {\"path\": \"/api/x\", \"user\": \"e\"}, \"permits\": 1}";
    StringBuilder requests = new StringBuilder();
    for (int i = 0; i < 50; i++) {
      char[] text = body.toCharArray();
      text[random.nextInt(text.length)] = (char) random.nextInt(256);
      String number = random.nextInt(10) == 0 ? "9".repeat(2000) : "";
      String mutated = new String(text).replace("1}", "1" + number + "}");
      requests.append(CHECK).append("Content-Length: ").append(mutated.length());
      requests.append("\r\n\r\n").append(mutated);
    }
    try (RawConnection connection = new RawConnection(port).waitingAtMost(PATIENCE_MILLIS)) {
      connection.send(requests.toString()).readUntil("HTTP/1.1 ", 50);
    }
    inputs.addAndGet(50);
  }

  private void longKeys() throws IOException {
    StringBuilder requests = new StringBuilder();
    for (int i = 0; i < 5; i++) {
      String key = random.nextLong() + "k".repeat(60_000);
      String body = "{\"attributes\": {\"path\": \"/strict\", \"user\": \"" + key + "\"}}";
      requests.append(CHECK).append("Content-Length: ").append(body.length());
      requests.append("\r\n\r\n").append(body);
    }
    try (RawConnection connection = new RawConnection(port).waitingAtMost(PATIENCE_MILLIS)) {
      connection.send(requests.toString()).readUntil("HTTP/1.1 ", 5);
    }
    inputs.addAndGet(5);
  }

  private void noise() throws IOException {
    byte[] bytes = new byte[random.nextInt(5000)];
    random.nextBytes(bytes);
    String start = random.nextBoolean() ? "POST /v1/check HTTP/1.1\r\n" : "";
    try (RawConnection connection = new RawConnection(port)) {
      connection.send(start + new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1));
    }
    inputs.incrementAndGet();
  }

  private void largeAnswers() throws IOException {
    keep(RawConnection.withSmallBuffer(port))
        .sendWhatFits(("GET /v1/authorize?uri=/" + "a".repeat(3000) + GET).repeat(20));
    inputs.addAndGet(20);
  }

  private RawConnection keep() throws IOException {
    return keep(new RawConnection(port));
  }

  private RawConnection keep(RawConnection connection) {
    if (open.size() >= MOST_OPEN) {
      open.removeFirst().close();
    }
    open.addLast(connection);
    inputs.incrementAndGet();
    return connection;
  }

  @Override
  public void close() {
    open.forEach(RawConnection::close);
    open.clear();
  }
}
