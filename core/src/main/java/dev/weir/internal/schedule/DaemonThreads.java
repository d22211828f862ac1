package dev.weir.internal.schedule;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;

/** Makes daemon threads, and pools of them that shrink to nothing when idle. */
final class DaemonThreads {
  private static final long IDLE_SECONDS = 30;

  private DaemonThreads() {}

  static Thread create(String name, BiFunction<Runnable, String, Thread> kind, Runnable task) {
    Thread thread = kind.apply(task, name);
    thread.setDaemon(true);
    return thread;
  }

  /** A pool in which a task waits only while all threads are busy. */
  static ThreadPoolExecutor pool(String name, int threads) {
    AtomicInteger count = new AtomicInteger();
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            threads,
            threads,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> create(name + "-" + count.incrementAndGet(), Thread::new, task));
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }
}
