package dev.weir.internal.guard;

import dev.weir.Claim;
import dev.weir.FailurePolicy;
import dev.weir.GuardListener;
import dev.weir.StoreUnavailableException;
import dev.weir.spi.LimitStore;
import dev.weir.spi.Operation;
import dev.weir.spi.Question;
import dev.weir.spi.Verdict;
import dev.weir.spi.Verdicts;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Answers claims whose failure policy is {@link FailurePolicy#LOCAL} from this instance's share of
 * their limits while the store is away; what was used is charged when it returns.
 */
public final class LocalShareStore extends Decorator {
  private final OptionalInt configuredInstances;
  private final LocalShare share;

  /**
   * @param configuredInstances how many instances share the limits; if empty, the store is asked
   */
  public LocalShareStore(
      LimitStore store, OptionalInt configuredInstances, GuardListener listener) {
    super(store);
    this.configuredInstances = configuredInstances;
    this.share = new LocalShare(listener);
  }

  @Override
  public CompletionStage<Verdicts> decide(Question question) {
    if (question.claims().stream().noneMatch(LocalShareStore::isLocal)) {
      return store.decide(question);
    }
    return store
        .decide(question)
        .handle((verdicts, thrown) -> withShare(question, verdicts, thrown));
  }

  private static boolean isLocal(Claim claim) {
    return claim.policy().onStoreFailure() == FailurePolicy.LOCAL;
  }

  private Verdicts withShare(
      Question question, @Nullable Verdicts answer, @Nullable Throwable thrown) {
    Verdicts verdicts = answer == null ? allFailed(question, thrown) : answer;
    List<Claim> orphans = new ArrayList<>();
    for (int i = 0; i < question.claims().size(); i++) {
      Claim claim = question.claims().get(i);
      Verdict verdict = verdicts.each().get(i);
      if (isLocal(claim) && verdict.isFailure()) {
        orphans.add(claim);
      } else if (isLocal(claim)) {
        share.remember(claim, verdict);
        share.settle(store, store.node(claim));
      }
    }
    OptionalInt instances =
        configuredInstances.isPresent() ? configuredInstances : store.instances();
    return orphans.isEmpty() || instances.isEmpty()
        ? verdicts // where the share is not known, the policy denies
        : merged(question, verdicts, orphans, instances.getAsInt());
  }

  private Verdicts merged(
      Question question, Verdicts verdicts, List<Claim> orphans, int instances) {
    Operation operation = isLost(question, verdicts) ? Operation.PEEK : question.operation();
    Set<String> nodes = orphans.stream().map(store::node).collect(Collectors.toSet());
    List<Verdict> local = share.answer(new Question(operation, orphans), nodes, instances);
    List<Verdict> each = new ArrayList<>(verdicts.each());
    int next = 0;
    for (int i = 0; i < each.size(); i++) {
      if (each.get(i).isFailure() && isLocal(question.claims().get(i))) {
        each.set(i, local.get(next++));
      }
    }
    return new Verdicts(verdicts.allowed(), each);
  }

  /** Whether the question is denied whatever the share says: then it must take nothing there. */
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
    Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : thrown;
    if (cause instanceof StoreUnavailableException failure) {
      Verdict failed = Verdict.failed(failure);
      return new Verdicts(true, Collections.nCopies(question.claims().size(), failed));
    }
    throw new CompletionException(cause);
  }

  /** Completes when the share in use has been charged to the store. */
  CompletableFuture<Void> settled() {
    return share.settled();
  }

  @Override
  public void close() {
    share.close();
    super.close();
  }
}
