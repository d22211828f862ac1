package dev.weir;

import dev.weir.spi.LimitStore;
import dev.weir.spi.Operation;
import dev.weir.spi.Question;
import dev.weir.spi.Verdict;
import dev.weir.spi.Verdicts;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/**
 * Turns a store's verdicts into decisions, and answers by failure policy where it has none.
 *
 * <p>Each claim that failed is answered by its own policy, and the conjunction decides. If that
 * makes a denial of what the store has granted, the grants are given back.
 */
final class Answers {
  private final LimitStore store;

  Answers(LimitStore store) {
    this.store = store;
  }

  CompletionStage<Decision> to(Question question) {
    CompletableFuture<Verdicts> asked = store.decide(question).toCompletableFuture();
    if (asked.isDone() && !asked.isCompletedExceptionally()) {
      return decidedAtOnce(question, asked.join());
    }
    return asked
        .exceptionally(failure -> failed(question, failure))
        .thenCompose(verdicts -> decided(question, verdicts));
  }

  private CompletionStage<Decision> decidedAtOnce(Question question, Verdicts verdicts) {
    try {
      return decided(question, verdicts);
    } catch (StoreUnavailableException failure) {
      return CompletableFuture.failedFuture(failure);
    }
  }

  private CompletionStage<Decision> decided(Question question, Verdicts verdicts) {
    List<Outcome> outcomes = new ArrayList<>(verdicts.each().size());
    boolean allowed = verdicts.allowed();
    for (int i = 0; i < verdicts.each().size(); i++) {
      Outcome outcome = outcome(question.claims().get(i), verdicts.each().get(i));
      allowed &= !outcome.denies();
      outcomes.add(outcome);
    }
    boolean acquired = question.operation() == Operation.ACQUIRE && verdicts.allowed();
    Decision decision = new Decision(allowed, Collections.unmodifiableList(outcomes), acquired);
    Optional<Receipt> lost = allowed || !acquired ? Optional.empty() : Receipt.of(outcomes);
    return lost.isEmpty()
        ? CompletableFuture.completedFuture(decision)
        : store.refund(lost.get()).handle((given, failure) -> decision);
  }

  private static Outcome outcome(Claim claim, Verdict verdict) {
    if (verdict.failure() == null) {
      return new Outcome(claim, verdict);
    }
    return switch (claim.policy().onStoreFailure()) {
      case ALLOW -> new Outcome(claim, fallback(true));
      case DENY, LOCAL -> new Outcome(claim, fallback(false));
      case ERROR -> throw verdict.failure();
    };
  }

  /** Nothing is known of the state: nothing remains for sure, and asking again may help at once. */
  private static Verdict fallback(boolean fits) {
    return new Verdict(0, fits, 0, 0, 0).from(Source.FALLBACK);
  }

  /** The whole store failed: so did every claim. */
  private static Verdicts failed(Question question, Throwable thrown) {
    Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : thrown;
    if (!(cause instanceof StoreUnavailableException failure)) {
      throw new CompletionException(cause);
    }
    Verdict verdict = Verdict.failed(failure);
    return new Verdicts(true, Collections.nCopies(question.claims().size(), verdict));
  }
}
