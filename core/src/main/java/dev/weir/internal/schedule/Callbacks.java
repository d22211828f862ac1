package dev.weir.internal.schedule;

import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs code of users: continuations of calls that a guard has ended, listeners, and sources of
 * rules. Safe for many threads.
 *
 * <p>Each continuation is a task of its own. One that blocks occupies one of {@value #THREADS}
 * threads; further continuations wait only while that many block at once. A continuation that waits
 * for another answer of a limiter does not count: the pool adds a thread for it, up to {@value
 * #MAX_THREADS}, because that answer may need a thread from here. Deadlines, probes and charges for
 * local use run on other threads and never wait for these.
 */
public final class Callbacks {
  private static final int THREADS = 32;
  private static final int MAX_THREADS = 256;
  private static final int ALWAYS_RUNNABLE = 4;
  private static final long IDLE_SECONDS = 30;
  private static final AtomicInteger COUNT = new AtomicInteger();

  public static final Executor EXECUTOR =
      new ForkJoinPool(
          THREADS,
          Callbacks::thread,
          null,
          true,
          THREADS,
          MAX_THREADS,
          ALWAYS_RUNNABLE,
          saturated -> true,
          IDLE_SECONDS,
          TimeUnit.SECONDS);

  private Callbacks() {}

  private static ForkJoinWorkerThread thread(ForkJoinPool pool) {
    ForkJoinWorkerThread thread = ForkJoinPool.defaultForkJoinWorkerThreadFactory.newThread(pool);
    thread.setName("weir-callback-" + COUNT.incrementAndGet());
    return thread;
  }
}
