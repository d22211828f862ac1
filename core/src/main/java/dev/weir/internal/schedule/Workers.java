package dev.weir.internal.schedule;

import java.util.concurrent.Executor;

/**
 * Runs background work that calls a store: probes, charges for local use, heartbeats, overrides
 * that instances share. A store that blocks its caller delays only other background work, never a
 * deadline.
 */
public final class Workers {
  private static final int THREADS = 4;

  public static final Executor EXECUTOR = DaemonThreads.pool("weir-worker", THREADS);

  private Workers() {}
}
