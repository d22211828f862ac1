package dev.weir.internal.penalty;

import dev.weir.Claim;
import dev.weir.Mode;
import dev.weir.Penalty;
import dev.weir.Policy;
import dev.weir.StoreUnavailableException;
import dev.weir.internal.CompletionFailures;
import dev.weir.internal.Micros;
import dev.weir.spi.LimitStore;
import dev.weir.spi.Operation;
import dev.weir.spi.Question;
import dev.weir.spi.Verdict;
import dev.weir.spi.Verdicts;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/**
 * Counts the denials of keys, and blocks a key that has too many. Safe for many threads.
 *
 * <p>Counting is one atomic step of the store. Of all callers in all instances, exactly one takes
 * the last permit of the window of denials. That caller blocks the key, and the count starts anew.
 * While the key is blocked, nothing is counted. If the store fails meanwhile, or this process ends,
 * the key is not blocked before the window has passed.
 */
final class DenialCounter {
  private final LimitStore store;

  DenialCounter(LimitStore store) {
    this.store = store;
  }

  /** The verdict of a limit that denied, after the denial has been counted. */
  CompletableFuture<Verdict> count(PenaltyPolicies policies, String key, Verdict denied) {
    return store
        .decide(new Question(Operation.ACQUIRE, policies.oneDenial(key)))
        .thenCompose(counted -> counted(policies, key, denied, counted))
        .exceptionally(failure -> withoutPenalty(denied, failure))
        .toCompletableFuture();
  }

  private CompletionStage<Verdict> counted(
      PenaltyPolicies policies, String key, Verdict denied, Verdicts counted) {
    Verdict denials = counted.each().get(0);
    Verdict block = counted.each().get(1);
    if (counted.each().stream().anyMatch(Verdict::isFailure)) {
      return CompletableFuture.completedFuture(denied);
    }
    if (!block.fits()) { // blocked after the answer, or the answer came from a cache
      return CompletableFuture.completedFuture(PenaltyVerdict.of(denied, block));
    }
    return counted.allowed() && denials.remaining() == 0
        ? block(policies, key, denied, block, counted.each().get(2))
        : CompletableFuture.completedFuture(denied);
  }

  private CompletionStage<Verdict> block(
      PenaltyPolicies policies, String key, Verdict denied, Verdict block, Verdict level) {
    Penalty penalty = policies.penalty();
    int steps = penalty.steps();
    int step = (int) Math.min(steps, steps - level.remaining() + 1);
    List<Claim> charged = new ArrayList<>(2);
    long length = Micros.of(penalty.length(step));
    // Enforced also for a policy in shadow, because a charge in shadow makes no debt.
    Policy enforced = policies.block().withMode(Mode.ENFORCE);
    charged.add(new Claim(enforced, key, block.remaining() + length));
    if (level.remaining() > 0) {
      charged.add(Claim.of(policies.level(), key));
    }
    return store
        .decide(new Question(Operation.CHARGE, charged))
        .thenCompose(
            done ->
                store
                    .reset(List.of(new Claim(policies.denials(), key, 0)))
                    .handle((reset, failure) -> blocked(penalty, denied, done.each().get(0))));
  }

  /** The bucket was charged with more than it holds: it must fill before it is fresh again. */
  private static Verdict blocked(Penalty penalty, Verdict denied, Verdict charged) {
    return charged.isFailure()
        ? denied
        : PenaltyVerdict.of(
            denied,
            charged.atMicros(),
            Math.max(1, charged.resetAfterMicros() - Micros.of(penalty.atMost())));
  }

  /** The denial without a penalty if the store failed; any other failure is a defect and thrown. */
  private static Verdict withoutPenalty(Verdict denied, Throwable failure) {
    Throwable cause = CompletionFailures.unwrap(failure);
    if (cause instanceof StoreUnavailableException) {
      return denied;
    }
    throw new CompletionException(cause);
  }
}
