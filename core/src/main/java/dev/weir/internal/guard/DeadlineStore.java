package dev.weir.internal.guard;

import dev.weir.Claim;
import dev.weir.Receipt;
import dev.weir.StoreUnavailableException;
import dev.weir.spi.LeaseAnswer;
import dev.weir.spi.LimitStore;
import dev.weir.spi.Question;
import dev.weir.spi.Verdicts;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Fails calls that take longer than the deadline. An exception thrown by the store becomes a failed
 * stage. A late answer of the store is dropped; whether it took permits is unknown.
 */
public final class DeadlineStore extends GuardStage {
  private final ExpiryQueue pending;

  public DeadlineStore(LimitStore store, Duration deadline) {
    super(store);
    this.pending = new ExpiryQueue(deadline);
  }

  @Override
  public CompletionStage<Verdicts> decide(Question question) {
    return bounded(() -> store().decide(question));
  }

  @Override
  public CompletionStage<LeaseAnswer> lease(Question question, int times) {
    return bounded(() -> store().lease(question, times));
  }

  @Override
  public CompletionStage<Verdicts> refund(Receipt receipt) {
    return bounded(() -> store().refund(receipt));
  }

  @Override
  public CompletionStage<List<Boolean>> renew(Receipt slots) {
    return bounded(() -> store().renew(slots));
  }

  @Override
  public CompletionStage<Verdicts> settle(Receipt receipt, List<Long> costs) {
    return bounded(() -> store().settle(receipt, costs));
  }

  @Override
  public CompletionStage<Void> forget(Question question) {
    return bounded(() -> store().forget(question));
  }

  @Override
  public CompletionStage<Void> reset(List<Claim> claims) {
    return bounded(() -> store().reset(claims));
  }

  private <T> CompletionStage<T> bounded(Supplier<CompletionStage<T>> call) {
    long askedNanos = System.nanoTime();
    return pending.bound(started(call), askedNanos);
  }

  private static <T> CompletableFuture<T> started(Supplier<CompletionStage<T>> call) {
    try {
      return call.get().toCompletableFuture();
    } catch (StoreUnavailableException | IllegalArgumentException | IllegalStateException known) {
      return CompletableFuture.failedFuture(known);
    } catch (RuntimeException thrown) {
      return CompletableFuture.failedFuture(
          new StoreUnavailableException("the store failed: " + thrown, thrown));
    }
  }
}
