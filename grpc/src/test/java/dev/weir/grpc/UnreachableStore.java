package dev.weir.grpc;

import dev.weir.MemoryStore;
import dev.weir.Policy;
import dev.weir.StoreUnavailableException;
import dev.weir.spi.ForwardingLimitStore;
import dev.weir.spi.Question;
import dev.weir.spi.SingleLimitFastPath;
import dev.weir.spi.Verdicts;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A store that never answers a question. */
final class UnreachableStore extends ForwardingLimitStore {
  UnreachableStore() {
    super(MemoryStore.builder().build());
  }

  @Override
  public CompletionStage<Verdicts> decide(Question question) {
    return CompletableFuture.failedFuture(new StoreUnavailableException("the store is down"));
  }

  @Override
  public Optional<SingleLimitFastPath> fastPath(Policy policy) {
    return Optional.empty();
  }
}
