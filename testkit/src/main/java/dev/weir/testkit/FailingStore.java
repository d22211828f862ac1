package dev.weir.testkit;

import dev.weir.Claim;
import dev.weir.Receipt;
import dev.weir.StoreUnavailableException;
import dev.weir.spi.LimitStore;
import dev.weir.spi.Question;
import dev.weir.spi.Verdicts;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A store that can never be reached. */
final class FailingStore implements LimitStore {
  @Override
  public CompletionStage<Verdicts> decide(Question question) {
    return failed();
  }

  @Override
  public CompletionStage<Verdicts> refund(Receipt receipt) {
    return failed();
  }

  @Override
  public CompletionStage<Void> reset(List<Claim> claims) {
    return failed();
  }

  @Override
  public void close() {}

  private static <T> CompletionStage<T> failed() {
    return CompletableFuture.failedFuture(new StoreUnavailableException("the store is down"));
  }
}
