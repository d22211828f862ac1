package dev.weir.internal.schedule;

import java.util.concurrent.Executor;

/**
 * Runs background work that calls a store: probes, settlement, heartbeats, overrides that instances
 * share. A store that blocks its caller holds up other background work at most, never a deadline.
 */
public final class Workers {
  private static final int THREADS = 4;

  public static final Executor EXECUTOR = DaemonThreads.pool("weir-worker", THREADS);

  private Workers() {}
}
