package dev.weir.benchmarks.service;

import dev.weir.benchmarks.service.HttpLoad.PipelinedConnection;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * Sends requests at a constant rate. A latency counts from the time at which a request was to be
 * sent, so that a service that stops for a while does not hide it by slowing the client down.
 */
final class SteadyLoad {
  private static final int CONNECTIONS = 16;
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  private final int port;
  private final long spacingNanos;

  SteadyLoad(int port, double perSecond) {
    this.port = port;
    this.spacingNanos = (long) (NANOS_PER_SECOND / perSecond * CONNECTIONS);
  }

  static String body(long number) {
    return "{\"attributes\": {\"user\": \"user-" + number % 1000 + "\", \"path\": \"/api/items\"}}";
  }

  /** Runs for a time, and adds every latency in microseconds. */
  void run(Duration time, Histogram micros) throws IOException, InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(CONNECTIONS);
    try {
      long start = System.nanoTime();
      List<Future<Histogram>> all = new ArrayList<>();
      for (int i = 0; i < CONNECTIONS; i++) {
        int number = i;
        long first = start + spacingNanos * i / CONNECTIONS;
        all.add(threads.submit(() -> ask(number, first, start + time.toNanos())));
      }
      for (Future<Histogram> one : all) {
        micros.add(one.get());
      }
    } catch (ExecutionException failed) {
      throw new IOException("a connection failed", failed.getCause());
    } finally {
      threads.shutdownNow();
    }
  }

  private Histogram ask(int number, long firstNanos, long endNanos) throws IOException {
    Histogram micros = new Histogram(3);
    try (PipelinedConnection connection = new PipelinedConnection(port, number, CONNECTIONS)) {
      for (long due = firstNanos; due - endNanos < 0; due += spacingNanos) {
        while (due - System.nanoTime() > 0) {
          LockSupport.parkNanos(due - System.nanoTime());
        }
        connection.ask(1, SteadyLoad::body);
        micros.recordValue((System.nanoTime() - due) / 1000);
      }
    }
    return micros;
  }
}
