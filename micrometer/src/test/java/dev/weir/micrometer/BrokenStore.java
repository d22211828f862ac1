package dev.weir.micrometer;

import dev.weir.Claim;
import dev.weir.MemoryStore;
import dev.weir.Receipt;
import dev.weir.StoreUnavailableException;
import dev.weir.spi.LimitStore;
import dev.weir.spi.Question;
import dev.weir.spi.Verdicts;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A memory store that can be made to fail every call, and to work again. */
final class BrokenStore implements LimitStore {
  private final MemoryStore memory;
  private volatile boolean broken;

  BrokenStore(MemoryStore memory) {
    this.memory = memory;
  }

  BrokenStore breakDown() {
    broken = true;
    return this;
  }

  void repair() {
    broken = false;
  }

  @Override
  public CompletionStage<Verdicts> decide(Question question) {
    return broken ? failure() : memory.decide(question);
  }

  @Override
  public CompletionStage<Verdicts> refund(Receipt receipt) {
    return broken ? failure() : memory.refund(receipt);
  }

  @Override
  public CompletionStage<Void> reset(List<Claim> claims) {
    return broken ? failure() : memory.reset(claims);
  }

  /** Two nodes: each key is named after its own. */
  @Override
  public String node(Claim claim) {
    return claim.key();
  }

  @Override
  public void close() {
    memory.close();
  }

  private static <T> CompletionStage<T> failure() {
    return CompletableFuture.failedFuture(new StoreUnavailableException("cut off"));
  }
}
