package dev.weir.spring;

import dev.weir.MemoryStore;
import dev.weir.spi.ForwardingLimitStore;
import dev.weir.spi.Question;
import dev.weir.spi.Verdicts;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A store that answers when it is told to, on the thread that tells it. */
final class LateMemoryStore extends ForwardingLimitStore {
  private final CompletableFuture<Void> told = new CompletableFuture<>();

  LateMemoryStore() {
    super(MemoryStore.create());
  }

  void answer() {
    told.complete(null);
  }

  @Override
  public CompletionStage<Verdicts> decide(Question question) {
    return told.thenCompose(go -> super.decide(question));
  }
}
