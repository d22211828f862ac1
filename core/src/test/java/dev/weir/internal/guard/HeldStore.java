package dev.weir.internal.guard;

import dev.weir.Claim;
import dev.weir.MemoryStore;
import dev.weir.StoreUnavailableException;
import dev.weir.spi.ForwardingLimitStore;
import dev.weir.spi.Operation;
import dev.weir.spi.Question;
import dev.weir.spi.Verdicts;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;

/** A memory store that executes at once, but whose answers the test delivers when it likes. */
final class HeldStore extends ForwardingLimitStore {
  /** Which operations are answered only when the test says so. */
  volatile Predicate<Operation> holds = operation -> false;

  volatile boolean holdsResets;
  final Queue<Held> held = new ConcurrentLinkedQueue<>();
  final Queue<Runnable> heldResets = new ConcurrentLinkedQueue<>();

  record Held(Question question, Verdicts verdicts, CompletableFuture<Verdicts> answer) {
    void deliver() {
      answer.complete(verdicts);
    }

    void lose() {
      answer.completeExceptionally(new StoreUnavailableException("cut off"));
    }
  }

  HeldStore(MemoryStore memory) {
    super(memory);
  }

  @Override
  public CompletionStage<Verdicts> decide(Question question) {
    if (!holds.test(question.operation())) {
      return super.decide(question);
    }
    Verdicts verdicts = super.decide(question).toCompletableFuture().join();
    Held call = new Held(question, verdicts, new CompletableFuture<>());
    held.add(call);
    return call.answer;
  }

  @Override
  public CompletionStage<Void> reset(List<Claim> claims) {
    if (!holdsResets) {
      return super.reset(claims);
    }
    CompletableFuture<Void> done = new CompletableFuture<>();
    heldResets.add(
        () -> {
          super.reset(claims).toCompletableFuture().join();
          done.complete(null);
        });
    return done;
  }

  long heldPeeks() {
    return held.stream().filter(call -> call.question.operation() == Operation.PEEK).count();
  }
}
