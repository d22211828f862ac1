package dev.weir;

import static dev.weir.AsyncRateLimiter.join;

import dev.weir.internal.Check;
import dev.weir.spi.LimitStore;
import dev.weir.spi.Operation;
import dev.weir.spi.SingleLimitFastPath;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a key may go on. Safe for many threads; make one and keep it.
 *
 * <pre>{@code
 * RateLimiter limiter = RateLimiter.of(Limit.tokenBucket(100, Duration.ofMinutes(1)));
 * Decision decision = limiter.decide("user-42");
 * if (!decision.allowed()) {
 *   reject(decision.retryAfter());
 * }
 * }</pre>
 *
 * <p>A limiter has one or more policies. A key must fit all of them, and takes from all or from
 * none. State is kept in process unless a store is given.
 *
 * <p>Closing a limiter closes the store it made for itself; calls after that throw {@link
 * IllegalStateException}. A store that was given stays open, and so does the limiter over it.
 */
public final class RateLimiter implements AutoCloseable {
  /** The longest wait that nanoseconds can hold: 292 years. */
  private static final Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE);

  private final AsyncRateLimiter async;
  private final TimeSource time;
  private final @Nullable Policy policy;
  private final @Nullable SingleLimitFastPath fastPath;
  private final @Nullable LimitStore ownedStore;
  private final @Nullable ListenerNotifier notifier;

  private RateLimiter(
      List<Policy> policies,
      LimitStore store,
      TimeSource time,
      boolean ownsStore,
      @Nullable DecisionListener listener) {
    this.notifier = listener == null ? null : new ListenerNotifier(listener);
    this.async = new AsyncRateLimiter(policies, store, time, notifier);
    this.time = time;
    this.policy = policies.isEmpty() ? null : policies.get(0);
    this.fastPath = fastPath(policies, store);
    this.ownedStore = ownsStore ? store : null;
  }

  /** A limiter in process. Its limits are named in the order given: limit-1, limit-2. */
  public static RateLimiter of(Limit... limits) {
    Builder builder = builder();
    for (int i = 0; i < limits.length; i++) {
      builder.limit("limit-" + (i + 1), limits[i]);
    }
    return builder.build();
  }

  /**
   * A limiter without limits of its own, which decides on the claims that rules make of a request.
   * A request without claims is allowed. The caller closes the store.
   */
  public static RateLimiter forClaims(LimitStore store) {
    return new RateLimiter(
        List.of(), Check.notNull("store", store), TimeSource.system(), false, null);
  }

  /** As {@link #forClaims(LimitStore)}, and notifies a listener of every decision. */
  public static RateLimiter forClaims(LimitStore store, DecisionListener listener) {
    return new RateLimiter(
        List.of(),
        Check.notNull("store", store),
        TimeSource.system(),
        false,
        Check.notNull("listener", listener));
  }

  public static Builder builder() {
    return new Builder();
  }

  /** A single enforced policy in a store that answers at once skips the asynchronous pipeline. */
  private static @Nullable SingleLimitFastPath fastPath(List<Policy> policies, LimitStore store) {
    return policies.size() == 1
            && policies.get(0).enforced()
            && policies.get(0).reserveAtMostPercent().isEmpty()
            && policies.get(0).split() == 1
            && policies.get(0).penalty().isEmpty()
        ? store.fastPath(policies.get(0)).orElse(null)
        : null;
  }

  /** Takes one permit, if it is there; returns whether it did. The quickest call. */
  public boolean tryAcquire(String key) {
    return tryAcquire(key, 1);
  }

  /** Takes the permits, if they are there; returns whether it did. */
  public boolean tryAcquire(String key, long permits) {
    Check.notNull("key", key);
    Check.requestPermits(permits);
    if (notifier != null) {
      return decide(key, permits).allowed(); // a listener gets the whole decision
    }
    if (fastPath != null && permits > 0) {
      try {
        return fastPath.tryAcquire(key, permits);
      } catch (StoreUnavailableException full) {
        // The asynchronous path applies the failure policy.
      }
    }
    return join(async.decide(key, permits)).allowed();
  }

  /**
   * Takes the permits as soon as they are there, waiting at most {@code timeout}; returns whether
   * it did. Returns false at once when the wait cannot succeed.
   */
  public boolean tryAcquire(String key, long permits, Duration timeout)
      throws InterruptedException {
    return acquire(key, permits, timeout).allowed();
  }

  /**
   * Takes what is there, up to {@code permits}.
   *
   * <p>Each try is all or nothing, so a limit is never exceeded; if others take permits between two
   * tries, the next one asks for what they left.
   *
   * @param permits 1 or more
   * @return how many were taken, from 0 to {@code permits}
   */
  public long acquireUpTo(String key, long permits) {
    return join(async.acquireUpTo(key, permits));
  }

  /** Takes one permit, if it is there. */
  public Decision decide(String key) {
    return decide(key, 1);
  }

  /**
   * Takes the permits, if they are there.
   *
   * @param permits 0 or more; 0 asks without taking
   */
  public Decision decide(String key, long permits) {
    Check.notNull("key", key);
    Check.requestPermits(permits);
    if (fastPath != null && permits > 0) {
      try {
        Claim claim = new Claim(policy, key, permits);
        return notified(Decision.of(new Outcome(claim, fastPath.decide(key, permits))));
      } catch (StoreUnavailableException full) {
        // The asynchronous path applies the failure policy.
      }
    }
    return join(async.decide(key, permits));
  }

  private Decision notified(Decision decision) {
    if (notifier != null) {
      notifier.decided(Operation.ACQUIRE, decision);
    }
    return decision;
  }

  /** Takes the permits of all claims, or of none, whatever their policies and keys. */
  public Decision decide(List<Claim> claims) {
    return join(async.decide(claims));
  }

  /** Takes the permits once, however often it is asked with this id. */
  public Decision decide(String key, long permits, RequestId id) {
    return join(async.decide(key, permits, id));
  }

  /** Takes the permits of all claims, or of none, once, however often it is asked with this id. */
  public Decision decide(List<Claim> claims, RequestId id) {
    return join(async.decide(claims, id));
  }

  /** Takes a permit, if it is there; its slots are renewed until what is returned is closed. */
  public HeldPermit hold(String key) {
    return join(async.hold(key));
  }

  public HeldPermit hold(List<Claim> claims) {
    return join(async.hold(claims));
  }

  /**
   * Runs work while it holds a permit, and releases its slots afterwards, however it ends.
   *
   * @throws DeniedException if the request is denied; then the work is not run
   * @throws Exception of the work
   */
  public <T> T run(String key, Callable<T> work) throws Exception {
    Check.notNull("work", work);
    try (HeldPermit permit = hold(key)) {
      return permit.run(work);
    }
  }

  /** Releases the slots that a decision took; what other limits granted stays taken. */
  public void release(Decision decision) {
    join(async.release(decision));
  }

  /** Releases slots of requests in flight; releasing them again changes nothing. */
  public void release(Receipt receipt) {
    join(async.release(receipt));
  }

  /** Keeps the slots of a decision for another hold; whether all of them were still held. */
  public boolean renew(Decision decision) {
    return join(async.renew(decision));
  }

  public boolean renew(Receipt receipt) {
    return join(async.renew(receipt));
  }

  /**
   * Corrects what a decision took to what it cost: takes the difference, into debt of at most one
   * capacity, or gives it back where it still counts. Settling it again changes nothing.
   *
   * @param cost the permits that each limit should have granted; 0 cancels, and releases slots
   */
  public void settle(Decision decision, long cost) {
    join(async.settle(decision, cost));
  }

  /** Corrects what a decision took, limit by limit; what is not among the costs stays as it was. */
  public void settle(Receipt receipt, List<Claim> costs) {
    join(async.settle(receipt, costs));
  }

  /** What {@link #decide} would answer for one permit; takes nothing. */
  public Decision peek(String key) {
    return peek(key, 1);
  }

  public Decision peek(String key, long permits) {
    return join(async.peek(key, permits));
  }

  public Decision peek(List<Claim> claims) {
    return join(async.peek(claims));
  }

  /**
   * Takes the permits whether they are there or not, into debt of at most one capacity: for a cost
   * known only afterwards.
   */
  public Decision charge(String key, long permits) {
    return join(async.charge(key, permits));
  }

  public Decision charge(List<Claim> claims) {
    return join(async.charge(claims));
  }

  /** Gives back exactly what a decision took; what has come back since is not given twice. */
  public void refund(Decision decision) {
    join(async.refund(decision));
  }

  /** Gives permits back to the current window, never above fresh. */
  public void refund(String key, long permits) {
    join(async.refund(key, permits));
  }

  public void refund(Receipt receipt) {
    join(async.refund(receipt));
  }

  /** Forgets what a key has used, and its penalties. */
  public void reset(String key) {
    join(async.reset(key));
  }

  public void reset(List<Claim> claims) {
    join(async.reset(claims));
  }

  /** Ends blocks of penalties and forgets their growth; what was used stays used. */
  public void liftPenalties(List<Claim> claims) {
    join(async.liftPenalties(claims));
  }

  /**
   * Takes the permits as soon as they are there, waiting at most {@code maxWait}.
   *
   * <p>Gives up at once, with a denial, when the wait cannot succeed. Between two tries the thread
   * sleeps for as long as the store says; callers that wait for the same key are not queued.
   */
  public Decision acquire(String key, long permits, Duration maxWait) throws InterruptedException {
    return PermitWait.until(() -> decide(key, permits), time, maxWait);
  }

  /** Takes one permit as soon as it is there, however long that takes. */
  public Decision acquire(String key) throws InterruptedException {
    return acquire(key, 1);
  }

  /**
   * Takes the permits as soon as they are there, however long that takes.
   *
   * @return an allowed decision; a denial only if waiting cannot help: the permits are more than a
   *     limit's capacity, or the store failed and a failure policy denied
   */
  public Decision acquire(String key, long permits) throws InterruptedException {
    return acquire(key, permits, FOREVER);
  }

  /** The same limiter for callers that must not block. */
  public AsyncRateLimiter async() {
    return async;
  }

  /** Releases the state, if this limiter made its own store. */
  @Override
  public void close() {
    if (ownedStore != null) {
      ownedStore.close();
    }
  }

  /** Collects what a limiter is made of. Not safe for many threads. */
  public static final class Builder {
    private final LimiterPolicies policies = new LimiterPolicies();
    private @Nullable LimitStore store;
    private TimeSource time = TimeSource.system();
    private @Nullable DecisionListener listener;

    private Builder() {}

    /**
     * What the state is kept under: the {@link Policy#rule} of this limiter's policies. Required
     * for limits added by {@link #limit} as soon as a store is given, because limiters of one name
     * in one store share their counters; policies bring their rule along.
     */
    public Builder name(String newName) {
      policies.limiterName(Check.notBlank("name", newName));
      return this;
    }

    /** Adds a limit. Enforced; requests are allowed when the store fails. */
    public Builder limit(String limitName, Limit limit) {
      return limit(limitName, limit, FailurePolicy.ALLOW);
    }

    /** Adds a limit. Enforced; the failure policy answers when the store fails. */
    public Builder limit(String limitName, Limit limit, FailurePolicy onStoreFailure) {
      policies.addLimit(limitName, limit, onStoreFailure);
      return this;
    }

    /** Adds a policy of this limiter: its rule is the limiter's name. */
    public Builder policy(Policy policy) {
      policies.addPolicy(Check.notNull("policy", policy));
      return this;
    }

    /** Where the state lives; closing it stays with the caller. */
    public Builder store(LimitStore newStore) {
      store = Check.notNull("store", newStore);
      return this;
    }

    /** The clock of the waiting calls and, if no store is given, of the limits. */
    public Builder time(TimeSource source) {
      time = Check.notNull("time", source);
      return this;
    }

    /** Is notified of every decision. Without a listener, {@code tryAcquire} allocates nothing. */
    public Builder listener(DecisionListener newListener) {
      listener = Check.notNull("listener", newListener);
      return this;
    }

    public RateLimiter build() {
      List<Policy> named = policies.named(store != null);
      LimitStore chosen = store == null ? MemoryStore.builder().time(time).build() : store;
      return new RateLimiter(named, chosen, time, store == null, listener);
    }
  }
}
