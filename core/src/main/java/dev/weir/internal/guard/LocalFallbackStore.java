package dev.weir.internal.guard;

import dev.weir.Claim;
import dev.weir.FailurePolicy;
import dev.weir.StoreUnavailableException;
import dev.weir.TimeSource;
import dev.weir.internal.CompletionFailures;
import dev.weir.spi.LimitStore;
import dev.weir.spi.Operation;
import dev.weir.spi.Question;
import dev.weir.spi.Verdict;
import dev.weir.spi.Verdicts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Answers claims whose failure policy is {@link FailurePolicy#LOCAL} from this instance's share of
 * their limits while the store does not answer, and charges the store afterwards.
 */
public final class LocalFallbackStore extends GuardStage {
  private static final Duration PATIENCE_AT_CLOSE = Duration.ofMillis(500);

  private final OptionalInt configuredInstances;
  private final LocalFallback fallback;
  private final LocalUseCharger charger;

  /**
   * @param store where callers' questions go
   * @param charged the same store without the callers' deadline; not closed by this class
   * @param isSilent whether the node of a claim is known not to answer
   * @param configuredInstances how many instances share the limits; if empty, the store is asked
   */
  public LocalFallbackStore(
      LimitStore store,
      LimitStore charged,
      Predicate<Claim> isSilent,
      OptionalInt configuredInstances,
      TimeSource time,
      GuardEvents events) {
    super(store);
    this.configuredInstances = configuredInstances;
    GuardBounds bounds = GuardBounds.ofThisProcess();
    LocalUseLedger ledger = new LocalUseLedger(bounds.keys());
    this.fallback = new LocalFallback(bounds, ledger, time);
    this.charger =
        new LocalUseCharger(
            ledger, charged, fallback::stillInUse, isSilent, time::nowMicros, events);
  }

  @Override
  public CompletionStage<Verdicts> decide(Question question) {
    return hasLocal(question)
        ? store()
            .decide(question)
            .handle((verdicts, thrown) -> withShare(question, verdicts, thrown))
        : store().decide(question);
  }

  /** Forgets local use of the keys, too, once the store has forgotten them. */
  @Override
  public CompletionStage<Void> reset(List<Claim> claims) {
    return store().reset(claims).thenAccept(done -> fallback.forget(claims));
  }

  private static boolean hasLocal(Question question) {
    for (Claim claim : question.claims()) {
      if (isLocal(claim)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isLocal(Claim claim) {
    return claim.policy().onStoreFailure() == FailurePolicy.LOCAL;
  }

  private Verdicts withShare(
      Question question, @Nullable Verdicts answer, @Nullable Throwable thrown) {
    Verdicts verdicts = answer == null ? allFailed(question, thrown) : answer;
    List<Claim> unanswered = new ArrayList<>();
    for (int i = 0; i < question.claims().size(); i++) {
      Claim claim = question.claims().get(i);
      Verdict verdict = verdicts.each().get(i);
      if (isLocal(claim) && verdict.isFailure()) {
        unanswered.add(claim);
      } else if (isLocal(claim)) {
        fallback.remember(claim, verdict);
      }
    }
    OptionalInt instances =
        configuredInstances.isPresent() ? configuredInstances : store().instances();
    return unanswered.isEmpty() || instances.isEmpty()
        ? verdicts // without a known share, policy local denies
        : merged(question, verdicts, unanswered, instances.getAsInt());
  }

  private Verdicts merged(
      Question question, Verdicts verdicts, List<Claim> unanswered, int instances) {
    Operation operation = isLost(question, verdicts) ? Operation.PEEK : question.operation();
    List<Verdict> local = fallback.answer(new Question(operation, unanswered), instances);
    charger.begin(instances);
    List<Verdict> each = new ArrayList<>(verdicts.each());
    int next = 0;
    for (int i = 0; i < each.size(); i++) {
      if (each.get(i).isFailure() && isLocal(question.claims().get(i))) {
        each.set(i, local.get(next++));
      }
    }
    return new Verdicts(verdicts.allowed(), each);
  }

  /**
   * Whether the question is denied whatever the local share answers. It must not take from the
   * share then.
   */
  private static boolean isLost(Question question, Verdicts verdicts) {
    boolean lost = !verdicts.allowed();
    for (int i = 0; i < question.claims().size(); i++) {
      FailurePolicy policy = question.claims().get(i).policy().onStoreFailure();
      lost |=
          verdicts.each().get(i).isFailure()
              && (policy == FailurePolicy.DENY || policy == FailurePolicy.ERROR);
    }
    return lost;
  }

  private static Verdicts allFailed(Question question, @Nullable Throwable thrown) {
    if (CompletionFailures.unwrap(thrown) instanceof StoreUnavailableException failure) {
      Verdict failed = Verdict.failed(failure);
      return new Verdicts(true, Collections.nCopies(question.claims().size(), failed));
    }
    throw new CompletionException(CompletionFailures.unwrap(thrown));
  }

  /** A node can be reached again: local use is charged without delay. */
  void chargeNow() {
    charger.chargeNow();
  }

  @Override
  public void close() {
    charger.stop(PATIENCE_AT_CLOSE);
    fallback.close();
    super.close();
  }
}
