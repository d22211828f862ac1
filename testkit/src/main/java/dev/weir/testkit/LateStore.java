package dev.weir.testkit;

import dev.weir.Policy;
import dev.weir.spi.ForwardingLimitStore;
import dev.weir.spi.LimitStore;
import dev.weir.spi.Question;
import dev.weir.spi.SingleLimitFastPath;
import dev.weir.spi.Verdicts;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A store that answers later, on a thread of its own, as one behind a network does. */
final class LateStore extends ForwardingLimitStore {
  private final ExecutorService thread = Executors.newSingleThreadExecutor();

  LateStore(LimitStore store) {
    super(store);
  }

  @Override
  public CompletionStage<Verdicts> decide(Question question) {
    return CompletableFuture.supplyAsync(() -> super.decide(question), thread)
        .thenCompose(answer -> answer);
  }

  @Override
  public Optional<SingleLimitFastPath> fastPath(Policy policy) {
    return Optional.empty();
  }

  @Override
  public void close() {
    thread.shutdown();
    super.close();
  }
}
