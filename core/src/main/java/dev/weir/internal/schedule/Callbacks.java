package dev.weir.internal.schedule;

import java.util.concurrent.Executor;

/**
 * Runs code of users that a guard has to call: continuations of calls that the guard itself ended,
 * and listeners. Safe for many threads.
 *
 * <p>Each continuation is a task of its own, so one that blocks occupies one of {@value #THREADS}
 * threads and delays nobody else. Only when that many block at once do further continuations wait.
 * Deadlines, probes and settlement never do: they run on other threads.
 */
public final class Callbacks {
  private static final int THREADS = 32;

  public static final Executor EXECUTOR = DaemonThreads.pool("weir-callback", THREADS);

  private Callbacks() {}
}
