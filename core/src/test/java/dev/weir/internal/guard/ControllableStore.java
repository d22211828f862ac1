package dev.weir.internal.guard;

import dev.weir.Claim;
import dev.weir.MemoryStore;
import dev.weir.Receipt;
import dev.weir.StoreUnavailableException;
import dev.weir.spi.LimitStore;
import dev.weir.spi.Operation;
import dev.weir.spi.Question;
import dev.weir.spi.Verdicts;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/** A memory store that can be told to fail or to be silent, and counts what it is asked. */
class ControllableStore implements LimitStore {
  enum Behaviour {
    ANSWERS,
    ANSWERS_PEEKS,
    FAILS,
    REFUSES,
    SILENT
  }

  final AtomicInteger asked = new AtomicInteger();
  volatile Behaviour behaviour = Behaviour.ANSWERS;
  volatile OptionalInt instances = OptionalInt.empty();
  private final MemoryStore memory;

  ControllableStore(MemoryStore memory) {
    this.memory = memory;
  }

  @Override
  public CompletionStage<Verdicts> decide(Question question) {
    asked.incrementAndGet();
    return switch (behaviour) {
      case ANSWERS -> memory.decide(question);
      case ANSWERS_PEEKS ->
          question.operation() == Operation.PEEK ? memory.decide(question) : cutOff();
      case FAILS -> cutOff();
      case REFUSES -> CompletableFuture.failedFuture(StoreUnavailableException.refused("full"));
      case SILENT -> new CompletableFuture<>();
    };
  }

  private static CompletionStage<Verdicts> cutOff() {
    return CompletableFuture.failedFuture(new StoreUnavailableException("cut off"));
  }

  @Override
  public CompletionStage<Verdicts> refund(Receipt receipt) {
    return memory.refund(receipt);
  }

  @Override
  public CompletionStage<Void> reset(List<Claim> claims) {
    return memory.reset(claims);
  }

  @Override
  public OptionalInt instances() {
    return instances;
  }

  @Override
  public void close() {
    memory.close();
  }
}
