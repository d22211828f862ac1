package dev.weir.spi;

import dev.weir.Claim;
import dev.weir.Policy;
import dev.weir.Receipt;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Where the state of limits lives. Safe for many threads; checked by {@code LimitStoreContract} of
 * {@code weir-testkit}.
 *
 * <p>A store answers each question as one atomic step: it never reads state to write it back later.
 * A stage it returns fails with {@link dev.weir.StoreUnavailableException} if the state could not
 * be reached; whether permits were taken is then unknown. A store that can answer some claims and
 * not others says so in their {@link Verdict}s.
 */
public interface LimitStore extends AutoCloseable {
  /**
   * Takes the permits of all claims, or of none.
   *
   * <p>Allowed means that every enforced claim fits; then all claims that fit take, shadow claims
   * and quota claims too. Otherwise nothing is taken. To a store, a quota claim is a shadow claim:
   * whether at least one of them fits is decided above it.
   */
  CompletionStage<Verdicts> decide(Question question);

  /**
   * Asks a question several times in one atomic step: as many are allowed as fit, and each of those
   * takes all its claims. The caller spends the permits later, by its own rules.
   *
   * <p>A store that cannot do that asks it once.
   *
   * @param question an acquisition
   * @param times 1 or more
   */
  default CompletionStage<LeaseAnswer> lease(Question question, int times) {
    return decide(question).thenApply(once -> new LeaseAnswer(once.allowed() ? 1 : 0, once));
  }

  /**
   * Gives permits back, never above fresh, and answers with the state after. Slots of requests in
   * flight are given back by their holder alone; a grant of slots without one changes nothing.
   */
  CompletionStage<Verdicts> refund(Receipt receipt);

  /**
   * Keeps slots of requests in flight for another hold. Never revives slots that were lost.
   *
   * @param slots grants with holders, of as many decisions as there are
   * @return one per grant, in their order: whether its holder still had all its slots
   */
  default CompletionStage<List<Boolean>> renew(Receipt slots) {
    return CompletableFuture.failedFuture(
        new UnsupportedOperationException("this store limits no requests in flight"));
  }

  /**
   * Corrects what a decision took to what it cost: takes the difference, into debt of at most one
   * capacity, or gives it back where it still counts. Slots of requests in flight are released if
   * the cost is 0, and stay as they are otherwise.
   *
   * <p>Sent again within ten minutes, with the same holder, it changes nothing; with the same costs
   * it gets the same answer.
   *
   * @param receipt grants with holders
   * @param costs one per grant: permits that it cost
   * @return the state after
   */
  default CompletionStage<Verdicts> settle(Receipt receipt, List<Long> costs) {
    return CompletableFuture.failedFuture(
        new UnsupportedOperationException("this store does not settle"));
  }

  /**
   * Forgets the answer to a question with a request id, because its permits are about to be given
   * back. The next question with that id is decided anew.
   */
  default CompletionStage<Void> forget(Question question) {
    return CompletableFuture.completedFuture(null);
  }

  /** Forgets what the keys of these claims have used of their policies. */
  CompletionStage<Void> reset(List<Claim> claims);

  /** A quicker way for one policy, if this store answers on the calling thread. */
  default Optional<SingleLimitFastPath> fastPath(Policy policy) {
    return Optional.empty();
  }

  /**
   * Names the part of the store that a claim depends on: parts fail and recover one by one.
   *
   * @return the same name for the same part, as an operator would know it
   */
  default String node(Claim claim) {
    return "store";
  }

  /** How many instances share this store now, this one included; empty if that is not known. */
  default OptionalInt instances() {
    return OptionalInt.empty();
  }

  /** Messages for an operator about the store as it is now; empty if there is nothing to report. */
  default List<String> warnings() {
    return List.of();
  }

  /** Releases what the store holds; calls after that fail with {@link IllegalStateException}. */
  @Override
  void close();
}
