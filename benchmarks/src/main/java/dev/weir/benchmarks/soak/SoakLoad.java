package dev.weir.benchmarks.soak;

import dev.weir.benchmarks.soak.CheckAnswer.RequestKind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A steady load on all instances, from a few threads for each. */
final class SoakLoad {
  static final int PER_SECOND = 1000;

  private static final int THREADS_PER_INSTANCE = 4;
  private static final long LATE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long PATIENCE_MILLIS = 10_000;

  private final AnswerStatistics statistics;
  private final long pauseNanos;
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean ended;

  SoakLoad(List<ServiceInstance> instances, AnswerStatistics statistics) {
    this.statistics = statistics;
    int clients = instances.size() * THREADS_PER_INSTANCE;
    pauseNanos = TimeUnit.SECONDS.toNanos(clients) / PER_SECOND;
    for (int i = 0; i < clients; i++) {
      ServiceInstance instance = instances.get(i % instances.size());
      int first = i;
      threads.add(new Thread(() -> askInTurn(instance, first), "load-" + i));
    }
    threads.forEach(Thread::start);
  }

  private void askInTurn(ServiceInstance instance, int first) {
    long next = System.nanoTime() + first * pauseNanos / threads.size();
    for (int turn = first; !ended; turn++) {
      LockSupport.parkNanos(next - System.nanoTime());
      ask(instance, RequestKind.values()[turn % RequestKind.values().length]);
      next = Math.max(next + pauseNanos, System.nanoTime() - LATE_NANOS);
    }
  }

  private void ask(ServiceInstance instance, RequestKind kind) {
    try {
      statistics.add(instance.ask(kind));
    } catch (IOException failed) {
      statistics.fault(kind + " got no answer: " + failed);
    } catch (InterruptedException stopped) {
      ended = true;
    }
  }

  /** Sends no more requests, and waits for the answers that are under way. */
  void end() throws InterruptedException {
    ended = true;
    for (Thread thread : threads) {
      thread.join(PATIENCE_MILLIS);
    }
  }
}
