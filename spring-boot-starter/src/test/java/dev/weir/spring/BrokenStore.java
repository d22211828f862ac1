package dev.weir.spring;

import dev.weir.MemoryStore;
import dev.weir.StoreUnavailableException;
import dev.weir.spi.ForwardingLimitStore;
import dev.weir.spi.Question;
import dev.weir.spi.Verdicts;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A store that cannot be reached. */
final class BrokenStore extends ForwardingLimitStore {
  BrokenStore() {
    super(MemoryStore.create());
  }

  @Override
  public CompletionStage<Verdicts> decide(Question question) {
    return CompletableFuture.failedFuture(new StoreUnavailableException("as the test wants"));
  }
}
