package dev.weir;

import dev.weir.internal.Check;
import dev.weir.internal.Micros;
import dev.weir.internal.guard.CallerDeadlineStore;
import dev.weir.internal.guard.KeyPart;
import dev.weir.internal.guard.SplitKeyStore;
import dev.weir.internal.penalty.PenaltyStore;
import dev.weir.internal.schedule.BlockedCaller;
import dev.weir.internal.slots.SlotRenewer;
import dev.weir.spi.LimitStore;
import dev.weir.spi.Operation;
import dev.weir.spi.Question;
import dev.weir.spi.Verdicts;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A {@link RateLimiter} whose answers arrive later: no call blocks a thread. Safe for many threads.
 *
 * <p>Bad arguments are thrown at once. A stage fails with {@link StoreUnavailableException} only
 * for a policy whose failure policy is {@link FailurePolicy#ERROR}.
 *
 * <p>Which thread completes a stage depends on what answers. The memory store, the deny cache and
 * an open circuit breaker complete it on the calling thread, before the method returns. Redis
 * completes it on a thread of the Redis client, so a continuation must not block there; hand longer
 * work to an executor of your own with {@code thenApplyAsync}. A passed deadline completes it on a
 * thread for callbacks.
 */
public final class AsyncRateLimiter {
  /** How often a caller that waits for slots asks whether they were released. */
  private static final Duration RELEASE_POLL = Duration.ofMillis(50);

  private final List<Policy> policies;
  private final LimitStore store;
  private final PenaltyStore penalties;
  private final TimeSource time;
  private final DecisionResolver resolver;
  private final @Nullable ListenerNotifier notifier;
  private final @Nullable Duration deadline;

  AsyncRateLimiter(
      List<Policy> policies,
      LimitStore store,
      TimeSource time,
      @Nullable ListenerNotifier notifier) {
    this(policies, store, new PenaltyStore(SplitKeyStore.around(store)), time, notifier, null);
  }

  private AsyncRateLimiter(
      List<Policy> policies,
      LimitStore store,
      PenaltyStore penalties,
      TimeSource time,
      @Nullable ListenerNotifier notifier,
      @Nullable Duration deadline) {
    this.policies = policies;
    this.store = store;
    this.time = time;
    this.penalties = penalties;
    this.resolver = new DecisionResolver(penalties);
    this.notifier = notifier;
    this.deadline = deadline;
  }

  /**
   * This limiter for a caller who cannot wait as long as the deadline of a {@link GuardedStore}: a
   * proxy that gives up after 20 ms, a call with a deadline of its own. Decisions that the store
   * does not give in that time are made by the failure policies. A longer time than the store's
   * deadline, and a store without guards, change nothing.
   */
  public AsyncRateLimiter within(Duration callersDeadline) {
    Check.notNull("callersDeadline", callersDeadline);
    return new AsyncRateLimiter(policies, store, penalties, time, notifier, callersDeadline);
  }

  /** Takes one permit, if it is there. */
  public CompletionStage<Decision> decide(String key) {
    return decide(key, 1);
  }

  /** Takes the permits, if they are there. */
  public CompletionStage<Decision> decide(String key, long permits) {
    return decide(claims(key, permits));
  }

  /** Takes the permits of all claims, or of none, whatever their policies and keys. */
  public CompletionStage<Decision> decide(List<Claim> claims) {
    return ask(Operation.ACQUIRE, claims, Optional.empty());
  }

  /** Takes the permits once, however often it is asked with this id. */
  public CompletionStage<Decision> decide(String key, long permits, RequestId id) {
    return decide(claims(key, permits), id);
  }

  /** Takes the permits of all claims, or of none, once, however often it is asked with this id. */
  public CompletionStage<Decision> decide(List<Claim> claims, RequestId id) {
    return ask(Operation.ACQUIRE, claims, Optional.of(Check.notNull("id", id)));
  }

  /** Takes slots, if they are there, and holds them until the permit is closed. */
  public CompletionStage<HeldPermit> hold(String key) {
    return hold(claims(key, 1));
  }

  /**
   * As {@link #decide(List)}; slots of requests in flight that were taken are renewed until the
   * permit is closed.
   */
  public CompletionStage<HeldPermit> hold(List<Claim> claims) {
    return decide(claims).thenApply(this::hold);
  }

  /** Renews the slots of a decision until the permit is closed. */
  public HeldPermit hold(Decision decision) {
    return new HeldPermit(
        decision,
        this,
        decision
            .receipt()
            .flatMap(Receipt::slots)
            .map(slots -> SlotRenewer.of(store, time).renew(store, slots)));
  }

  /** Releases the slots that a decision took; what other limits granted stays taken. */
  public CompletionStage<Void> release(Decision decision) {
    return decision.receipt().map(this::release).orElseGet(AsyncRateLimiter::nothing);
  }

  /** Releases slots of requests in flight; releasing them again changes nothing. */
  public CompletionStage<Void> release(Receipt receipt) {
    return receipt.slots().map(this::refund).orElseGet(AsyncRateLimiter::nothing);
  }

  /**
   * Keeps the slots of a decision for another hold.
   *
   * @return whether all of them were still held: lost ones stay lost. True if there are none
   */
  public CompletionStage<Boolean> renew(Decision decision) {
    return decision
        .receipt()
        .map(this::renew)
        .orElseGet(() -> CompletableFuture.completedFuture(decision.allowed()));
  }

  public CompletionStage<Boolean> renew(Receipt receipt) {
    return receipt
        .slots()
        .map(slots -> store.renew(slots).thenApply(held -> !held.contains(false)))
        .orElseGet(() -> CompletableFuture.completedFuture(true));
  }

  /**
   * Corrects what a decision took to what it cost: takes the difference, into debt of at most one
   * capacity, or gives it back where it still counts. Settling it again changes nothing.
   *
   * @param cost the permits that each limit should have granted; 0 cancels, and releases slots
   */
  public CompletionStage<Void> settle(Decision decision, long cost) {
    Check.requestPermits(cost);
    return decision
        .receipt()
        .map(receipt -> settled(receipt, Collections.nCopies(receipt.grants().size(), cost)))
        .orElseGet(AsyncRateLimiter::nothing);
  }

  /**
   * Corrects what a decision took, limit by limit.
   *
   * @param costs claims with the permits that each should have asked for; what is not among them
   *     stays as it was taken
   */
  public CompletionStage<Void> settle(Receipt receipt, List<Claim> costs) {
    return settled(
        receipt,
        receipt.grants().stream().map(grant -> SettledCosts.of(grant.claim(), costs)).toList());
  }

  private CompletionStage<Void> settled(Receipt receipt, List<Long> costs) {
    return penalties.settle(receipt, costs).thenAccept(verdicts -> warnOf(receipt, verdicts));
  }

  private void warnOf(Receipt receipt, Verdicts settled) {
    if (notifier != null && settled.repeatOf().isEmpty()) {
      for (int i = 0; i < settled.each().size(); i++) {
        notifier.warned(new Outcome(receipt.grants().get(i).claim(), settled.each().get(i)));
      }
    }
  }

  private static CompletionStage<Void> nothing() {
    return CompletableFuture.completedFuture(null);
  }

  /** What {@link #decide} would answer for one permit; takes nothing. */
  public CompletionStage<Decision> peek(String key) {
    return peek(key, 1);
  }

  public CompletionStage<Decision> peek(String key, long permits) {
    return peek(claims(key, permits));
  }

  public CompletionStage<Decision> peek(List<Claim> claims) {
    return ask(Operation.PEEK, claims, Optional.empty());
  }

  /** Takes the permits whether they are there or not, into debt of at most one capacity. */
  public CompletionStage<Decision> charge(String key, long permits) {
    return charge(claims(key, permits));
  }

  public CompletionStage<Decision> charge(List<Claim> claims) {
    return ask(Operation.CHARGE, claims, Optional.empty());
  }

  /** Gives back exactly what a decision took; what has come back since is not given twice. */
  public CompletionStage<Void> refund(Decision decision) {
    return decision.receipt().map(this::refund).orElseGet(AsyncRateLimiter::nothing);
  }

  /** Gives permits back to the current window, never above fresh. */
  public CompletionStage<Void> refund(String key, long permits) {
    return refund(Receipt.undated(claims(key, permits)));
  }

  public CompletionStage<Void> refund(Receipt receipt) {
    return penalties.refund(receipt).thenAccept(verdicts -> {});
  }

  /** Forgets what a key has used, and its penalties. */
  public CompletionStage<Void> reset(String key) {
    return reset(claims(key, 0));
  }

  public CompletionStage<Void> reset(List<Claim> claims) {
    return penalties.reset(List.copyOf(claims));
  }

  /** Ends blocks of penalties and forgets their growth; what was used stays used. */
  public CompletionStage<Void> liftPenalties(List<Claim> claims) {
    return penalties.lift(claims);
  }

  /**
   * Takes the permits as soon as they are there, waiting at most {@code maxWait}.
   *
   * <p>Completes at once with a denial when the wait cannot succeed. Between two tries it sleeps
   * for as long as the store says; callers that wait for the same key are not queued.
   */
  public CompletionStage<Decision> acquire(String key, long permits, Duration maxWait) {
    Check.notNegative("maxWait", maxWait);
    long deadline = saturatedSum(time.nowMicros(), Micros.of(maxWait));
    return acquireUntil(claims(key, permits), deadline);
  }

  /** Takes one permit as soon as it is there, however long that takes. */
  public CompletionStage<Decision> acquire(String key) {
    return acquire(key, 1);
  }

  /** Takes the permits as soon as they are there, however long that takes. */
  public CompletionStage<Decision> acquire(String key, long permits) {
    return acquireUntil(claims(key, permits), Long.MAX_VALUE);
  }

  /**
   * Takes what is there, up to {@code permits}; completes with how many it took.
   *
   * @param permits 1 or more
   * @see RateLimiter#acquireUpTo
   */
  public CompletionStage<Long> acquireUpTo(String key, long permits) {
    Check.atLeastOne("permits", permits);
    return acquireWhatIsLeft(key, Math.min(permits, mostPerRequest()));
  }

  private long mostPerRequest() {
    return policies.stream()
        .filter(policy -> policy.enforced() && policy.reserveAtMostPercent().isPresent())
        .mapToLong(Policy::mostPerRequest)
        .min()
        .orElse(Long.MAX_VALUE);
  }

  private CompletionStage<Long> acquireWhatIsLeft(String key, long permits) {
    return decide(key, permits)
        .thenCompose(
            decision -> {
              long left = Math.min(decision.remaining(), permits - 1);
              if (decision.allowed() || left <= 0) {
                return CompletableFuture.completedFuture(decision.allowed() ? permits : 0);
              }
              return acquireWhatIsLeft(key, left);
            });
  }

  private CompletionStage<Decision> acquireUntil(List<Claim> claims, long deadline) {
    return decide(claims).thenCompose(decision -> waitOrGiveUp(decision, claims, deadline));
  }

  private CompletionStage<Decision> waitOrGiveUp(
      Decision decision, List<Claim> claims, long deadline) {
    Duration wait = nextTry(decision, deadline - time.nowMicros());
    if (decision.allowed() || isHopeless(wait, deadline - time.nowMicros())) {
      return CompletableFuture.completedFuture(decision);
    }
    return time.after(wait).thenCompose(elapsed -> acquireUntil(claims, deadline));
  }

  /** When to ask again: slots may be released before the wait that was named is over. */
  static Duration nextTry(Decision decision, long leftMicros) {
    Duration wait = decision.retryAfter();
    if (!decision.endsWithRelease() || leftMicros <= 0) {
      return wait;
    }
    long soon = Math.min(leftMicros, Micros.of(RELEASE_POLL));
    return Micros.toDuration(Math.max(1, Math.min(soon, Micros.of(wait))));
  }

  /** Whether a denied request cannot pass in the time left, or waiting does not help it. */
  static boolean isHopeless(Duration wait, long leftMicros) {
    return wait.isZero() || wait.equals(Decision.NEVER) || Micros.of(wait) > leftMicros;
  }

  private CompletionStage<Decision> ask(
      Operation operation, List<Claim> claims, Optional<RequestId> id) {
    CompletionStage<Decision> answer =
        claims.isEmpty() && policies.isEmpty()
            ? CompletableFuture.completedFuture(Decision.UNLIMITED)
            : resolve(new Question(operation, claims, holder(operation, claims, id), id));
    return notifier == null ? answer : notifier.notifying(operation, answer);
  }

  private CompletionStage<Decision> resolve(Question question) {
    return deadline == null
        ? resolver.resolve(question)
        : CallerDeadlineStore.within(deadline, () -> resolver.resolve(question));
  }

  /** A random id for questions that hold slots, may be repeated or are split; others need none. */
  private static Optional<UUID> holder(
      Operation operation, List<Claim> claims, Optional<RequestId> id) {
    if (operation != Operation.ACQUIRE) {
      return Optional.empty();
    }
    boolean mustBeSecret = id.isPresent();
    boolean isSplit = false;
    for (Claim claim : claims) {
      mustBeSecret |= claim.policy().limit().algorithm() == Algorithm.IN_FLIGHT;
      isSplit |= claim.policy().split() > 1;
    }
    if (!mustBeSecret && !isSplit) {
      return Optional.empty();
    }
    UUID random = mustBeSecret ? UUID.randomUUID() : SettlementIds.next();
    return Optional.of(isSplit ? KeyPart.holder(random, id) : random);
  }

  /** Waits for an answer; a failure has the stack trace of the caller who waits. */
  static <T> T join(CompletionStage<T> stage) {
    try {
      return BlockedCaller.join(stage);
    } catch (StoreUnavailableException failure) {
      throw failure.rethrown();
    }
  }

  List<Claim> claims(String key, long permits) {
    Check.notNull("key", key);
    Check.requestPermits(permits);
    if (policies.isEmpty()) {
      throw new IllegalStateException("this limiter has no limits of its own: ask it with claims");
    }
    if (policies.size() == 1) {
      return List.of(new Claim(policies.get(0), key, permits));
    }
    return policies.stream().map(policy -> new Claim(policy, key, permits)).toList();
  }

  private static long saturatedSum(long a, long b) {
    return a + b < 0 ? Long.MAX_VALUE : a + b;
  }
}
