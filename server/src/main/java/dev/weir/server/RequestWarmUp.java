package dev.weir.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.weir.rules.RuleSet;
import dev.weir.server.grpc.GrpcWarmUp;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Sends requests over HTTP, and over gRPC if that is served, before clients do. The JVM compiles
 * what has run some thousand times; until then a request takes many times as long, and a new
 * instance would make its first clients wait. Ends after enough requests, or when its time is over.
 */
final class RequestWarmUp {
  /** Decides by a limit that nobody else uses. Its keys expire within seconds. */
  static final RuleSet RULES =
      RuleSet.parse(
          "warm-up.yaml",
          """
          rules:
            - name: weir-warm-up
              limits:
                - {name: user, key: user, limit: 1000000 per second}
          domains:
            - domain: weir-warm-up-calls
              descriptors:
                - {key: user, rate_limit: {requests_per_unit: 1000000, unit: second}}
          """);

  private static final System.Logger LOG = System.getLogger(RequestWarmUp.class.getName());
  private static final String DOMAIN = "weir-warm-up-calls";
  private static final int CONNECTIONS = 4;
  private static final int ENOUGH = 60_000;
  private static final int ENOUGH_CALLS = 5_000;
  private static final int KEYS = 100;
  private static final String LENGTH = "content-length:";

  private final WeirServer service;
  private final long endNanos;
  private final BooleanSupplier stopped;
  private final AtomicInteger sent = new AtomicInteger();
  private volatile int called;

  private RequestWarmUp(WeirServer service, long endNanos, BooleanSupplier stopped) {
    this.service = service;
    this.endNanos = endNanos;
    this.stopped = stopped;
  }

  /**
   * Runs in the background; completes at its end, also if that is a failure.
   *
   * @param service opened for it, and closed afterwards
   * @param stopped ends it early
   */
  static CompletableFuture<Void> start(
      Supplier<WeirServer> service, Duration longest, BooleanSupplier stopped) {
    long start = System.nanoTime();
    ExecutorService threads =
        Executors.newFixedThreadPool(
            CONNECTIONS + 1, // one for gRPC
            task -> {
              Thread thread = new Thread(task, "weir-warm-up");
              thread.setDaemon(true);
              return thread;
            });
    return CompletableFuture.supplyAsync(service, threads)
        .thenCompose(
            opened ->
                new RequestWarmUp(opened, start + longest.toNanos(), stopped)
                    .run(threads)
                    .whenComplete((done, failure) -> opened.stop()))
        .handle(
            (requests, failure) -> {
              threads.shutdown();
              log(requests, failure, Duration.ofNanos(System.nanoTime() - start));
              return null;
            });
  }

  private static void log(String requests, Throwable failure, Duration took) {
    if (failure == null) {
      LOG.log(
          System.Logger.Level.INFO,
          "ready after " + requests + " to itself in " + took.toMillis() + " ms");
    } else {
      LOG.log(System.Logger.Level.DEBUG, "ready without warming up", failure);
    }
  }

  private CompletableFuture<String> run(ExecutorService threads) {
    Stream<Runnable> overHttp = Stream.generate(() -> (Runnable) this::ask).limit(CONNECTIONS);
    Stream<Runnable> overGrpc =
        service.grpcPort().stream().mapToObj(port -> () -> askOverGrpc(port));
    CompletableFuture<?>[] connections =
        Stream.concat(overHttp, overGrpc)
            .map(asking -> CompletableFuture.runAsync(asking, threads))
            .toArray(CompletableFuture<?>[]::new);
    return CompletableFuture.allOf(connections).thenApply(done -> summary());
  }

  private String summary() {
    String requests = Math.min(sent.get(), ENOUGH) + " requests";
    return called == 0 ? requests : requests + " and " + called + " calls over gRPC";
  }

  /** Sends one request after the other over a connection. */
  private void ask() {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), service.port())) {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout((int) Math.max(1, (endNanos - System.nanoTime()) / 1_000_000));
      OutputStream out = socket.getOutputStream();
      InputStream in = new BufferedInputStream(socket.getInputStream());
      for (int number = sent.getAndIncrement();
          goesOn(number, ENOUGH);
          number = sent.getAndIncrement()) {
        out.write(request(number));
        readAnswer(in);
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private void askOverGrpc(int port) {
    called = GrpcWarmUp.send(port, DOMAIN, endNanos, number -> goesOn(number, ENOUGH_CALLS));
  }

  private boolean goesOn(int number, int enough) {
    return number < enough && System.nanoTime() < endNanos && !stopped.getAsBoolean();
  }

  private static byte[] request(int number) {
    String body = "{\"attributes\": {\"user\": \"" + number % KEYS + "\", \"path\": \"/warm-up\"}}";
    String head = "POST /v1/check HTTP/1.1\r\nHost: localhost\r\nContent-Length: ";
    return (head + body.length() + "\r\n\r\n" + body).getBytes(ISO_8859_1);
  }

  /** Anything but 200 ends the warm-up: the store does not answer. */
  private static void readAnswer(InputStream in) throws IOException {
    String status = readLine(in);
    if (!status.contains(" 200 ")) {
      throw new IOException("the answer must be 200, was " + status);
    }
    int length = 0;
    for (String line = readLine(in); !line.isEmpty(); line = readLine(in)) {
      if (line.toLowerCase(Locale.ROOT).startsWith(LENGTH)) {
        length = Integer.parseInt(line.substring(LENGTH.length()).strip());
      }
    }
    in.skipNBytes(length);
  }

  private static String readLine(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new IOException("the connection was closed");
      }
      line.append((char) next);
    }
    return line.toString().strip();
  }
}
