package dev.weir;

import dev.weir.spi.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.LongSupplier;

/**
 * Whether the store answers, as the guards and the decisions show: for health checks. Safe for many
 * threads; give it to {@link GuardedStore.Builder#listener} and to the limiter.
 */
public final class StoreStatus implements GuardListener, DecisionListener {
  private static final long RECENT_NANOS = 10_000_000_000L;

  private final LongSupplier nanoTime;
  private final Set<String> silentNodes = new ConcurrentSkipListSet<>();
  private volatile boolean localShares;
  private volatile long lastFallbackNanos;

  public StoreStatus() {
    this(System::nanoTime);
  }

  StoreStatus(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.lastFallbackNanos = nanoTime.getAsLong() - RECENT_NANOS;
  }

  /** Nodes of the store that do not answer, so that no calls are sent to them. */
  public List<String> silentNodes() {
    return List.copyOf(silentNodes);
  }

  /** Whether local shares stand in for the store, or a failure policy has answered recently. */
  public boolean fallback() {
    return localShares || nanoTime.getAsLong() - lastFallbackNanos < RECENT_NANOS;
  }

  /** What is wrong, besides what the store itself warns of; empty if it answers everything. */
  public List<String> faults() {
    List<String> faults = new ArrayList<>();
    silentNodes.forEach(node -> faults.add(node + " does not answer, so no calls are sent to it"));
    if (fallback()) {
      faults.add("answers are given by failure policy");
    }
    return faults;
  }

  @Override
  public void breakerOpened(String node, StoreUnavailableException cause) {
    silentNodes.add(node);
  }

  @Override
  public void breakerClosed(String node) {
    silentNodes.remove(node);
  }

  @Override
  public void fallbackStarted() {
    localShares = true;
  }

  @Override
  public void fallbackEnded() {
    localShares = false;
  }

  @Override
  public void decided(Operation operation, Decision decision) {
    List<Outcome> outcomes = decision.outcomes();
    for (int i = 0; i < outcomes.size(); i++) { // no iterator: this runs for every request
      if (outcomes.get(i).source() == Source.FALLBACK) {
        lastFallbackNanos = nanoTime.getAsLong();
        return;
      }
    }
  }

  @Override
  public void failed(Operation operation, StoreUnavailableException failure) {
    lastFallbackNanos = nanoTime.getAsLong();
  }
}
