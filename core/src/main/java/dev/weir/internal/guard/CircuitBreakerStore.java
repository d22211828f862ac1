package dev.weir.internal.guard;

import dev.weir.Claim;
import dev.weir.StoreUnavailableException;
import dev.weir.internal.CompletionFailures;
import dev.weir.spi.LeaseAnswer;
import dev.weir.spi.LimitStore;
import dev.weir.spi.Operation;
import dev.weir.spi.Question;
import dev.weir.spi.Verdict;
import dev.weir.spi.Verdicts;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Sends no claims to nodes that do not answer; other claims of the same question are sent. */
public final class CircuitBreakerStore extends GuardStage {
  private static final String UNKNOWN_NODE = "unknown node";

  private final int failuresToOpen;
  private final GuardEvents events;
  private final ConcurrentHashMap<String, CircuitBreaker> breakers = new ConcurrentHashMap<>();
  private volatile Runnable whenClosed = () -> {};

  /**
   * A claim and the breaker of its node.
   *
   * @param period the closed period in which the claim is sent; null if it is not sent
   * @param afterFailure whether the node had failed to answer when it was sent
   */
  private record Attempt(
      Claim claim,
      CircuitBreaker breaker,
      CircuitBreaker.@Nullable Closed period,
      boolean afterFailure) {

    static Attempt of(Claim claim, CircuitBreaker breaker) {
      CircuitBreaker.Closed period = breaker.period();
      return new Attempt(claim, breaker, period, period != null && period.hasFailures());
    }
  }

  /**
   * @param store answers or fails each call in bounded time
   */
  public CircuitBreakerStore(LimitStore store, int failuresToOpen, GuardEvents events) {
    super(store);
    this.failuresToOpen = failuresToOpen;
    this.events = events;
  }

  /** Sets what is run whenever a node can be reached again. */
  void whenClosed(Runnable action) {
    whenClosed = action;
  }

  /** Whether the breaker of the claim's node is open, so that the claim would not be sent. */
  boolean isOpen(Claim claim) {
    return breaker(claim).period() == null;
  }

  @Override
  public CompletionStage<Verdicts> decide(Question question) {
    List<Attempt> attempts = new ArrayList<>(question.claims().size());
    boolean allAreSent = true;
    for (Claim claim : question.claims()) {
      CircuitBreaker breaker = breaker(claim);
      Attempt attempt = Attempt.of(claim, breaker);
      allAreSent &= attempt.period != null;
      attempts.add(attempt);
    }
    return allAreSent ? send(question, attempts) : sendSome(question, attempts);
  }

  /** All claims or none: a lease that misses a claim could not be spent. */
  @Override
  public CompletionStage<LeaseAnswer> lease(Question question, int times) {
    List<Attempt> attempts = new ArrayList<>(question.claims().size());
    for (Claim claim : question.claims()) {
      CircuitBreaker breaker = breaker(claim);
      Attempt attempt = Attempt.of(claim, breaker);
      if (attempt.period == null) {
        return CompletableFuture.failedFuture(breaker.notSent());
      }
      attempts.add(attempt);
    }
    return store()
        .lease(question, times)
        .whenComplete(
            (answer, thrown) ->
                note(
                    question.operation(),
                    attempts,
                    answer == null ? null : answer.verdicts(),
                    thrown));
  }

  private CompletionStage<Verdicts> sendSome(Question question, List<Attempt> attempts) {
    List<Attempt> sent = attempts.stream().filter(attempt -> attempt.period != null).toList();
    if (sent.isEmpty()) {
      return CompletableFuture.completedFuture(merge(attempts, null));
    }
    List<Claim> claims = sent.stream().map(Attempt::claim).toList();
    return send(question.about(claims), sent).thenApply(verdicts -> merge(attempts, verdicts));
  }

  private CompletionStage<Verdicts> send(Question question, List<Attempt> sent) {
    return store()
        .decide(question)
        .whenComplete((verdicts, thrown) -> note(question.operation(), sent, verdicts, thrown));
  }

  private static void note(
      Operation operation,
      List<Attempt> sent,
      @Nullable Verdicts verdicts,
      @Nullable Throwable thrown) {
    for (int i = 0; i < sent.size(); i++) {
      Attempt attempt = sent.get(i);
      StoreUnavailableException failure =
          verdicts == null ? failure(thrown) : verdicts.each().get(i).failure();
      if (failure != null && !isCounted(sent, i, verdicts)) {
        attempt.breaker.failed(attempt.period, failure, attempt.claim, attempt.afterFailure);
      } else if (verdicts != null && failure == null) {
        attempt.breaker.answered(attempt.period, took(operation, attempt.claim, verdicts, i));
      }
    }
  }

  private static @Nullable StoreUnavailableException failure(@Nullable Throwable thrown) {
    return CompletionFailures.unwrap(thrown) instanceof StoreUnavailableException failure
        ? failure
        : null;
  }

  /** Whether an earlier claim of the same call has failed on the same node: a call counts once. */
  private static boolean isCounted(List<Attempt> sent, int index, @Nullable Verdicts verdicts) {
    for (int i = 0; i < index; i++) {
      boolean failed = verdicts == null || verdicts.each().get(i).isFailure();
      if (failed && sent.get(i).breaker == sent.get(index).breaker) {
        return true;
      }
    }
    return false;
  }

  private static boolean took(Operation operation, Claim claim, Verdicts verdicts, int index) {
    boolean taken =
        switch (operation) {
          case ACQUIRE -> verdicts.allowed() && verdicts.each().get(index).fits();
          case CHARGE -> true;
          case PEEK -> false;
        };
    return taken && claim.permits() > 0;
  }

  /** The answers to claims that were sent and failures for the others, in the question's order. */
  private static Verdicts merge(List<Attempt> attempts, @Nullable Verdicts answer) {
    List<Verdict> each = new ArrayList<>(attempts.size());
    int next = 0;
    for (Attempt attempt : attempts) {
      each.add(
          answer != null && attempt.period != null
              ? answer.each().get(next++)
              : Verdict.failed(attempt.breaker.notSent()));
    }
    return new Verdicts(answer == null || answer.allowed(), each);
  }

  private CircuitBreaker breaker(Claim claim) {
    String node = nodeOrUnknown(claim);
    CircuitBreaker known = breakers.get(node);
    return known != null ? known : breakers.computeIfAbsent(node, this::create);
  }

  /** If the store cannot name the node of a key, the call itself fails, which the caller sees. */
  private String nodeOrUnknown(Claim claim) {
    try {
      return node(claim);
    } catch (RuntimeException unknown) {
      return UNKNOWN_NODE;
    }
  }

  private CircuitBreaker create(String node) {
    return new CircuitBreaker(node, store(), failuresToOpen, events, () -> whenClosed.run());
  }

  @Override
  public List<String> warnings() {
    List<String> warnings = new ArrayList<>(super.warnings());
    breakers.values().forEach(breaker -> breaker.warning().ifPresent(warnings::add));
    return warnings;
  }

  @Override
  public void close() {
    breakers.values().forEach(CircuitBreaker::stop);
    super.close();
  }
}
