package dev.weir.benchmarks.service;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongFunction;

/** Asks over several connections at once, each with some questions under way. */
final class Load {
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  private final int port;
  private final Shape shape;
  private final LongFunction<String> body;

  /** How questions are spread. */
  enum Shape {
    /** As most clients do. */
    ONE_AT_A_TIME("one at a time on 16 connections", 16, 1),
    /** So that what is measured is the server, and not how quickly a client turns round. */
    IN_ROWS("16 in a row on 4 connections", 4, 16);

    final String inWords;
    final int connections;
    final int depth;

    Shape(String inWords, int connections, int depth) {
      this.inWords = inWords;
      this.connections = connections;
      this.depth = depth;
    }
  }

  /**
   * @param body of the n-th question
   */
  Load(int port, Shape shape, LongFunction<String> body) {
    this.port = port;
    this.shape = shape;
    this.body = body;
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
    onAll(connection -> askFrom(connection, questions / shape.connections));
  }

  private interface Work {
    long on(Connection connection) throws IOException;
  }

  private long onAll(Work work) throws IOException, InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(shape.connections);
    try {
      List<Future<Long>> all = new ArrayList<>();
      for (int i = 0; i < shape.connections; i++) {
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
    try (Connection connection = new Connection(port, number, shape.connections)) {
      return work.on(connection);
    }
  }

  private long askUntil(Connection connection, long endNanos) throws IOException {
    long answered = 0;
    while (System.nanoTime() < endNanos) {
      connection.ask(shape.depth, body);
      answered += shape.depth;
    }
    return answered;
  }

  private long askFrom(Connection connection, long questions) throws IOException {
    for (long asked = 0; asked < questions; asked += shape.depth) {
      connection.ask(shape.depth, body);
    }
    return questions;
  }
}
