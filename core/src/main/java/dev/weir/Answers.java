package dev.weir;

import dev.weir.spi.LimitStore;
import dev.weir.spi.Operation;
import dev.weir.spi.Question;
import dev.weir.spi.Verdict;
import dev.weir.spi.Verdicts;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
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
      Verdict verdict = verdicts.each().get(i);
      Outcome outcome = outcome(question.claims().get(i), verdict);
      allowed &= !outcome.denies();
      outcomes.add(outcome);
    }
    OptionalLong grantedAt =
        question.operation() == Operation.ACQUIRE
            ? OptionalLong.of(verdicts.atMicros())
            : OptionalLong.empty();
    Decision decision = new Decision(allowed, grantedAt, Collections.unmodifiableList(outcomes));
    if (verdicts.allowed() && !allowed && question.operation() == Operation.ACQUIRE) {
      return giveBack(question, verdicts).thenApply(given -> decision);
    }
    return CompletableFuture.completedFuture(decision);
  }

  private static Outcome outcome(Claim claim, Verdict verdict) {
    if (verdict.failure() == null) {
      return new Outcome(claim, verdict, Source.STORE);
    }
    return switch (claim.policy().onStoreFailure()) {
      case ALLOW -> new Outcome(claim, fallback(true), Source.FALLBACK);
      case DENY -> new Outcome(claim, fallback(false), Source.FALLBACK);
      case ERROR -> throw verdict.failure();
    };
  }

  /** Nothing is known of the state: nothing remains for sure, and asking again may help at once. */
  private static Verdict fallback(boolean fits) {
    return new Verdict(fits, 0, 0, 0);
  }

  private CompletionStage<Verdicts> giveBack(Question question, Verdicts verdicts) {
    List<Claim> granted = new ArrayList<>();
    for (int i = 0; i < verdicts.each().size(); i++) {
      Verdict verdict = verdicts.each().get(i);
      if (verdict.fits() && verdict.failure() == null) {
        granted.add(question.claims().get(i));
      }
    }
    return granted.isEmpty()
        ? CompletableFuture.completedFuture(verdicts)
        : store.refund(Receipt.granted(granted, verdicts.atMicros()));
  }

  /** The whole store failed: so did every claim. */
  private static Verdicts failed(Question question, Throwable thrown) {
    Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : thrown;
    if (!(cause instanceof StoreUnavailableException failure)) {
      throw new CompletionException(cause);
    }
    Verdict verdict = Verdict.failed(failure);
    return new Verdicts(0, true, Collections.nCopies(question.claims().size(), verdict));
  }
}
