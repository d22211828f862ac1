package dev.weir.benchmarks.service;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongFunction;

/**
 * Asks over several connections at once, some questions under way on each: so that what is measured
 * is the server, and not how quickly a client turns round.
 */
final class Load {
  private static final int CONNECTIONS = 4;
  private static final int DEPTH = 16;
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  private final int port;
  private final LongFunction<String> body;

  /**
   * @param body of the n-th question of a connection
   */
  Load(int port, LongFunction<String> body) {
    this.port = port;
    this.body = body;
  }

  static String inWords() {
    return CONNECTIONS + " connections with " + DEPTH + " requests under way on each";
  }

  /** Requests per second over this time. */
  double perSecond(double seconds) throws IOException, InterruptedException {
    long start = System.nanoTime();
    long end = start + (long) (seconds * NANOS_PER_SECOND);
    long answered = onAll(connection -> askUntil(connection, end));
    return answered * (double) NANOS_PER_SECOND / (System.nanoTime() - start);
  }

  /** Asks a number of questions, split evenly over the connections. */
  void ask(long questions) throws IOException, InterruptedException {
    onAll(connection -> askFrom(connection, questions / CONNECTIONS));
  }

  private interface Work {
    long on(Connection connection) throws IOException;
  }

  private long onAll(Work work) throws IOException, InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(CONNECTIONS);
    try {
      List<Future<Long>> all = new ArrayList<>();
      for (int i = 0; i < CONNECTIONS; i++) {
        int number = i;
        all.add(threads.submit(() -> run(work, number)));
      }
      long answered = 0;
      for (Future<Long> one : all) {
        answered += one.get();
      }
      return answered;
    } catch (ExecutionException failed) {
      throw new IOException("a connection failed", failed.getCause());
    } finally {
      threads.shutdownNow();
    }
  }

  private long run(Work work, int number) throws IOException {
    try (Connection connection = new Connection(port, number, CONNECTIONS)) {
      return work.on(connection);
    }
  }

  private long askUntil(Connection connection, long endNanos) throws IOException {
    long answered = 0;
    while (System.nanoTime() < endNanos) {
      connection.ask(DEPTH, body);
      answered += DEPTH;
    }
    return answered;
  }

  private long askFrom(Connection connection, long questions) throws IOException {
    for (long asked = 0; asked < questions; asked += DEPTH) {
      connection.ask(DEPTH, body);
    }
    return questions;
  }
}
