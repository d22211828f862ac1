package dev.weir.grpc;

import dev.weir.spi.ForwardingLimitStore;
import dev.weir.spi.LimitStore;
import dev.weir.spi.Question;
import dev.weir.spi.Verdicts;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;

/** A store that answers when it is released. */
final class HeldStore extends ForwardingLimitStore {
  final CountDownLatch asked = new CountDownLatch(1);
  final CountDownLatch askedTwice = new CountDownLatch(2);
  final CompletableFuture<Void> release = new CompletableFuture<>();

  HeldStore(LimitStore store) {
    super(store);
  }

  @Override
  public CompletionStage<Verdicts> decide(Question question) {
    asked.countDown();
    askedTwice.countDown();
    return release.thenCompose(released -> super.decide(question));
  }
}
