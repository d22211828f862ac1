package dev.weir.internal.guard;

import dev.weir.Claim;
import dev.weir.GuardListener;
import dev.weir.StoreUnavailableException;
import dev.weir.spi.LimitStore;
import dev.weir.spi.Question;
import dev.weir.spi.Verdict;
import dev.weir.spi.Verdicts;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Does not ask nodes that are silent; claims on other nodes of the same question are asked. */
public final class BreakerStore extends Decorator {
  private final int failuresToOpen;
  private final GuardListener listener;
  private final ConcurrentHashMap<String, Breaker> breakers = new ConcurrentHashMap<>();

  public BreakerStore(LimitStore store, int failuresToOpen, GuardListener listener) {
    super(store);
    this.failuresToOpen = failuresToOpen;
    this.listener = listener;
  }

  @Override
  public CompletionStage<Verdicts> decide(Question question) {
    List<Claim> askable = new ArrayList<>(question.claims().size());
    for (Claim claim : question.claims()) {
      if (breaker(claim).openedBy() == null) {
        askable.add(claim);
      }
    }
    if (askable.size() == question.claims().size()) {
      return ask(question);
    }
    if (askable.isEmpty()) {
      return CompletableFuture.completedFuture(merge(question, List.of(), null));
    }
    return ask(new Question(question.operation(), askable))
        .thenApply(verdicts -> merge(question, askable, verdicts));
  }

  private CompletionStage<Verdicts> ask(Question question) {
    return store
        .decide(question)
        .whenComplete((verdicts, thrown) -> note(question, verdicts, thrown));
  }

  private void note(Question question, @Nullable Verdicts verdicts, @Nullable Throwable thrown) {
    for (int i = 0; i < question.claims().size(); i++) {
      Claim claim = question.claims().get(i);
      StoreUnavailableException failure =
          verdicts == null ? failure(thrown) : verdicts.each().get(i).failure();
      if (failure == null) {
        breaker(claim).answered();
      } else {
        breaker(claim).failed(failure, claim);
      }
    }
  }

  private static @Nullable StoreUnavailableException failure(@Nullable Throwable thrown) {
    Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : thrown;
    return cause instanceof StoreUnavailableException failure ? failure : null;
  }

  /** The answers of those that were asked, and failures for the rest, in the question's order. */
  private Verdicts merge(Question question, List<Claim> asked, @Nullable Verdicts answer) {
    List<Verdict> each = new ArrayList<>(question.claims().size());
    int next = 0;
    for (Claim claim : question.claims()) {
      boolean wasAsked = answer != null && next < asked.size() && asked.get(next).equals(claim);
      each.add(wasAsked ? answer.each().get(next++) : Verdict.failed(silence(claim)));
    }
    return new Verdicts(answer == null || answer.allowed(), each);
  }

  private StoreUnavailableException silence(Claim claim) {
    StoreUnavailableException known = breaker(claim).openedBy();
    return known == null
        ? new StoreUnavailableException(store.node(claim) + " has just come back")
        : known;
  }

  private Breaker breaker(Claim claim) {
    String node = store.node(claim);
    Breaker known = breakers.get(node);
    return known != null
        ? known
        : breakers.computeIfAbsent(node, n -> new Breaker(n, store, failuresToOpen, listener));
  }

  @Override
  public void close() {
    breakers.values().forEach(Breaker::stop);
    super.close();
  }
}
