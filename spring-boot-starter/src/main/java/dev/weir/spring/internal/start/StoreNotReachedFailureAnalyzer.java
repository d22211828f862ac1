package dev.weir.spring.internal.start;

import dev.weir.spring.internal.store.StoreNotReachedException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains a start without Redis. */
final class StoreNotReachedFailureAnalyzer
    extends AbstractFailureAnalyzer<StoreNotReachedException> {
  @Override
  protected FailureAnalysis analyze(Throwable failure, StoreNotReachedException cause) {
    return new FailureAnalysis(
        "The store of the limits, " + cause.address() + ", cannot be used: " + cause.getMessage(),
        "Start the server, or correct spring.data.redis or weir.store. To start without it, set"
            + " weir.redis.require-at-start to false: failure policies answer until it is there."
            + " To keep state in this process, set weir.store to memory.",
        cause);
  }
}
