package dev.weir.spi;

import dev.weir.Claim;
import dev.weir.Policy;
import dev.weir.Receipt;
import dev.weir.internal.Check;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;

/**
 * A store that forwards every call to another store. Extend it to change some calls: to measure, to
 * guard, to prefix keys. As safe for many threads as the store inside.
 *
 * <pre>{@code
 * final class CountingStore extends ForwardingLimitStore {
 *   final LongAdder decisions = new LongAdder();
 *
 *   CountingStore(LimitStore store) {
 *     super(store);
 *   }
 *
 *   @Override
 *   public CompletionStage<Verdicts> decide(Question question) {
 *     decisions.increment();
 *     return super.decide(question);
 *   }
 *
 *   @Override
 *   public Optional<SingleLimitFastPath> fastPath(Policy policy) {
 *     return Optional.empty(); // or decisions on the fast path would not be counted
 *   }
 * }
 * }</pre>
 *
 * <p>A subclass that changes {@link #decide} must also change {@link #fastPath}, because a limiter
 * prefers the fast path where a store offers one.
 */
public abstract class ForwardingLimitStore implements LimitStore {
  private final LimitStore store;

  /**
   * @param store where calls go; closed together with this store
   */
  protected ForwardingLimitStore(LimitStore store) {
    this.store = Check.notNull("store", store);
  }

  /** The store that calls are forwarded to; override it if that changes. */
  protected LimitStore store() {
    return store;
  }

  @Override
  public CompletionStage<Verdicts> decide(Question question) {
    return store().decide(question);
  }

  @Override
  public CompletionStage<LeaseAnswer> lease(Question question, int times) {
    return store().lease(question, times);
  }

  @Override
  public CompletionStage<Verdicts> refund(Receipt receipt) {
    return store().refund(receipt);
  }

  @Override
  public CompletionStage<List<Boolean>> renew(Receipt slots) {
    return store().renew(slots);
  }

  @Override
  public CompletionStage<Verdicts> settle(Receipt receipt, List<Long> costs) {
    return store().settle(receipt, costs);
  }

  @Override
  public CompletionStage<Void> forget(Question question) {
    return store().forget(question);
  }

  @Override
  public CompletionStage<Void> reset(List<Claim> claims) {
    return store().reset(claims);
  }

  @Override
  public Optional<SingleLimitFastPath> fastPath(Policy policy) {
    return store().fastPath(policy);
  }

  @Override
  public String node(Claim claim) {
    return store().node(claim);
  }

  @Override
  public OptionalInt instances() {
    return store().instances();
  }

  @Override
  public List<String> warnings() {
    return store().warnings();
  }

  @Override
  public void close() {
    store().close();
  }
}
