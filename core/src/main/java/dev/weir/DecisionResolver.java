package dev.weir;

import dev.weir.internal.CompletionFailures;
import dev.weir.spi.LimitStore;
import dev.weir.spi.Operation;
import dev.weir.spi.Question;
import dev.weir.spi.Verdict;
import dev.weir.spi.Verdicts;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Turns a store's verdicts into decisions, and applies failure policies to claims without a
 * verdict.
 *
 * <p>Each failed claim is answered by its own failure policy, and the request is allowed if all
 * answers allow it. If it is denied although the store has granted claims, these are given back.
 * The same happens to enforced claims if all quotas deny, because to a store a quota never denies.
 */
final class DecisionResolver {
  private final LimitStore store;

  DecisionResolver(LimitStore store) {
    this.store = store;
  }

  CompletionStage<Decision> resolve(Question question) {
    CompletableFuture<Verdicts> asked = store.decide(bounded(question)).toCompletableFuture();
    if (asked.isDone() && !asked.isCompletedExceptionally()) {
      return decided(question, asked.join());
    }
    UnresolvedDecision unresolved = new UnresolvedDecision(question);
    asked.whenComplete(unresolved);
    return unresolved;
  }

  /** The decision on a question that the store has not answered yet. */
  private final class UnresolvedDecision extends CompletableFuture<Decision>
      implements BiConsumer<Verdicts, @Nullable Throwable> {
    private final Question question;

    UnresolvedDecision(Question question) {
      this.question = question;
    }

    /** Called with the answer of the store. Whatever it throws must reach who waits. */
    @Override
    public void accept(Verdicts verdicts, @Nullable Throwable failure) {
      try {
        CompletableFuture<Decision> decided =
            decided(question, failure == null ? verdicts : failed(question, failure))
                .toCompletableFuture();
        if (decided.isDone() && !decided.isCompletedExceptionally()) {
          complete(decided.join());
        } else {
          decided.whenComplete(this::completeLater);
        }
      } catch (RuntimeException | Error thrown) {
        completeExceptionally(CompletionFailures.unwrap(thrown));
      }
    }

    private void completeLater(Decision decision, @Nullable Throwable failure) {
      if (failure == null) {
        complete(decision);
      } else {
        completeExceptionally(CompletionFailures.unwrap(failure));
      }
    }
  }

  /**
   * The question as it is sent to the store. A claim on more than the share that one request may
   * take is sent as a claim that never fits, so that stores need not know about shares.
   */
  private static Question bounded(Question question) {
    List<Claim> claims = question.claims();
    for (int i = 0; i < claims.size(); i++) {
      if (isOverShare(claims.get(i)) && question.operation() != Operation.CHARGE) {
        return question.about(
            claims.stream()
                .map(c -> isOverShare(c) ? Claim.blocked(c.policy(), c.key()) : c)
                .toList());
      }
    }
    return question;
  }

  private static boolean isOverShare(Claim claim) {
    return claim.policy().reserveAtMostPercent().isPresent() && claim.asksTooMuch();
  }

  private CompletionStage<Decision> decided(Question question, Verdicts verdicts) {
    List<Outcome> outcomes = new ArrayList<>(verdicts.each().size());
    boolean allowed = verdicts.allowed();
    boolean repeated = verdicts.repeatOf().isPresent();
    for (int i = 0; i < verdicts.each().size(); i++) {
      Verdict verdict =
          repeated ? verdicts.each().get(i).withFirstWarning(false) : verdicts.each().get(i);
      Outcome outcome = outcome(question.claims().get(i), verdict);
      allowed &= !denies(question.operation(), outcome);
      outcomes.add(outcome);
    }
    allowed &= question.operation() == Operation.CHARGE || !QuotaOutcomes.deny(outcomes);
    boolean acquired = question.operation() == Operation.ACQUIRE && verdicts.allowed();
    StoreUnavailableException error = error(question, verdicts);
    Optional<UUID> holder = verdicts.repeatOf().or(question::holder);
    if (error != null) {
      return acquired
          ? giveBack(question, Receipt.of(outcomes, holder), error)
          : CompletableFuture.failedStage(error);
    }
    Decision decision =
        new Decision(allowed, Collections.unmodifiableList(outcomes), acquired, holder, repeated);
    Optional<Receipt> lost = allowed || !acquired ? Optional.empty() : Receipt.of(outcomes, holder);
    return lost.isEmpty()
        ? CompletableFuture.completedFuture(decision)
        : refund(question, lost.get())
            .handle((given, failure) -> given == null ? decision : givenBack(decision, given));
  }

  /** Forgets a remembered answer first: it would allow a repeated request without its permits. */
  private CompletionStage<Verdicts> refund(Question question, Receipt receipt) {
    return question.requestId().isEmpty()
        ? store.refund(receipt)
        : store.forget(bounded(question)).thenCompose(forgotten -> store.refund(receipt));
  }

  /** A denial with the state after the store's grants were given back. */
  private static Decision givenBack(Decision denied, Verdicts given) {
    Iterator<Verdict> after = given.each().iterator();
    List<Outcome> outcomes = new ArrayList<>(denied.outcomes());
    outcomes.replaceAll(
        outcome ->
            Receipt.isGrant(outcome) && after.hasNext() ? outcome.with(after.next()) : outcome);
    return new Decision(false, Collections.unmodifiableList(outcomes), false);
  }

  /** A charge is taken whether it fits or not, so only the failure of a store can deny it. */
  private static boolean denies(Operation operation, Outcome outcome) {
    return outcome.denies() && (operation != Operation.CHARGE || !outcome.stateKnown());
  }

  /** The exception that the caller gets instead of a decision; null if none. */
  private static @Nullable StoreUnavailableException error(Question question, Verdicts verdicts) {
    for (int i = 0; i < verdicts.each().size(); i++) {
      Policy policy = question.claims().get(i).policy();
      Verdict verdict = verdicts.each().get(i);
      boolean throwing = policy.onStoreFailure() == FailurePolicy.ERROR && !policy.shadow();
      if (throwing && verdict.isFailure()) {
        return verdict.failure();
      }
    }
    return null;
  }

  private CompletionStage<Decision> giveBack(
      Question question, Optional<Receipt> taken, StoreUnavailableException error) {
    CompletionStage<?> given =
        taken.isEmpty()
            ? CompletableFuture.completedFuture(null)
            : refund(question, taken.get()).handle((verdicts, failure) -> null);
    return given.thenCompose(done -> CompletableFuture.failedStage(error));
  }

  private static Outcome outcome(Claim claim, Verdict verdict) {
    if (verdict.failure() == null) {
      return new Outcome(claim, verdict);
    }
    return new Outcome(claim, byFailurePolicy(claim, verdict.failure()));
  }

  /** The state is unknown, so no permits are reported as remaining and no wait is named. */
  private static Verdict byFailurePolicy(Claim claim, StoreUnavailableException failure) {
    boolean passes = claim.policy().onStoreFailure() == FailurePolicy.ALLOW && !isOverShare(claim);
    return new Verdict(0, passes, 0, 0, 0, Source.FALLBACK, failure);
  }

  /** The whole call failed, so every claim has failed. */
  private static Verdicts failed(Question question, Throwable thrown) {
    Throwable cause = CompletionFailures.unwrap(thrown);
    if (!(cause instanceof StoreUnavailableException failure)) {
      throw new CompletionException(cause);
    }
    Verdict verdict = Verdict.failed(failure);
    return new Verdicts(true, Collections.nCopies(question.claims().size(), verdict));
  }
}
