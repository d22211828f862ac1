package dev.weir.server.service;

import dev.weir.GuardListener;
import dev.weir.StoreUnavailableException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;

/** What the guards around the store are doing now; they log their changes themselves. */
public final class StoreStatus implements GuardListener {
  private final Set<String> silentNodes = new ConcurrentSkipListSet<>();
  private volatile boolean fallback;

  /** Nodes of the store that are not asked, because they were silent. */
  public List<String> silentNodes() {
    return List.copyOf(silentNodes);
  }

  /** Whether local shares stand in for the store. */
  public boolean fallback() {
    return fallback;
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
    fallback = true;
  }

  @Override
  public void fallbackEnded() {
    fallback = false;
  }
}
