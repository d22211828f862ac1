package dev.weir;

import dev.weir.internal.Check;
import dev.weir.internal.Micros;
import dev.weir.spi.LimitStore;
import dev.weir.spi.Operation;
import dev.weir.spi.SingleLimitFastPath;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
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
 */
public final class RateLimiter implements AutoCloseable {
  private static final String DEFAULT_NAME = "limiter";

  private final AsyncRateLimiter async;
  private final TimeSource time;
  private final @Nullable Policy policy;
  private final @Nullable SingleLimitFastPath direct;
  private final @Nullable LimitStore ownedStore;
  private final @Nullable ListenerNotifier announcements;

  private RateLimiter(
      List<Policy> policies,
      LimitStore store,
      TimeSource time,
      boolean ownsStore,
      @Nullable DecisionListener listener) {
    this.announcements = listener == null ? null : new ListenerNotifier(listener);
    this.async = new AsyncRateLimiter(policies, store, time, announcements);
    this.time = time;
    this.policy = policies.isEmpty() ? null : policies.get(0);
    this.direct = directPath(policies, store);
    this.ownedStore = ownsStore ? store : null;
  }

  /** A limiter in process; several limits are named by their place: limit-1, limit-2. */
  public static RateLimiter of(Limit... limits) {
    Builder builder = builder();
    for (int i = 0; i < limits.length; i++) {
      builder.limit("limit-" + (i + 1), limits[i]);
    }
    return builder.build();
  }

  /**
   * A limiter without limits of its own, to be asked with claims: those that rules make of a
   * request. No claims at all mean that nothing limits the request, and it is allowed. The store
   * stays the caller's.
   */
  public static RateLimiter over(LimitStore store) {
    return new RateLimiter(
        List.of(), Check.notNull("store", store), TimeSource.system(), false, null);
  }

  /** As {@link #over(LimitStore)}, and tells a listener of every decision. */
  public static RateLimiter over(LimitStore store, DecisionListener listener) {
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

  /** A single enforced policy in a store that answers at once can skip the long way. */
  private static @Nullable SingleLimitFastPath directPath(List<Policy> policies, LimitStore store) {
    return policies.size() == 1 && policies.get(0).enforced()
        ? store.direct(policies.get(0)).orElse(null)
        : null;
  }

  /** Takes one permit, if it is there; says only whether it did, and is the quickest way. */
  public boolean tryAcquire(String key) {
    return tryAcquire(key, 1);
  }

  /** Takes the permits, if they are there; says only whether it did. */
  public boolean tryAcquire(String key, long permits) {
    Check.notNull("key", key);
    Check.requestPermits(permits);
    if (announcements != null) {
      return decide(key, permits).allowed(); // a listener is told everything there is to know
    }
    if (direct != null && permits > 0) {
      try {
        return direct.tryAcquire(key, permits);
      } catch (StoreUnavailableException full) {
        // The long way knows the failure policy.
      }
    }
    return join(async.decide(key, permits)).allowed();
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
    if (direct != null && permits > 0) {
      try {
        Claim claim = new Claim(policy, key, permits);
        return announced(Decision.of(new Outcome(claim, direct.decide(key, permits))));
      } catch (StoreUnavailableException full) {
        // The long way knows the failure policy.
      }
    }
    return join(async.decide(key, permits));
  }

  private Decision announced(Decision decision) {
    if (announcements != null) {
      announcements.decided(Operation.ACQUIRE, decision);
    }
    return decision;
  }

  /** Takes the permits of all claims, or of none, whatever their policies and keys. */
  public Decision decide(List<Claim> claims) {
    return join(async.decide(claims));
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

  /** Forgets what a key has used. */
  public void reset(String key) {
    join(async.reset(key));
  }

  public void reset(List<Claim> claims) {
    join(async.reset(claims));
  }

  /**
   * Takes the permits as soon as they are there, waiting at most {@code maxWait}.
   *
   * <p>Gives up at once, with a denial, when the wait cannot succeed. Between two tries the thread
   * sleeps for as long as the store says; callers that wait for the same key are not queued.
   */
  public Decision acquire(String key, long permits, Duration maxWait) throws InterruptedException {
    Check.notNegative("maxWait", maxWait);
    long start = time.nowMicros();
    while (true) {
      Decision decision = decide(key, permits);
      Duration wait = decision.retryAfter();
      long left = Micros.of(maxWait) - (time.nowMicros() - start);
      if (decision.allowed() || AsyncRateLimiter.isHopeless(wait, left)) {
        return decision;
      }
      sleep(wait);
    }
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

  private void sleep(Duration wait) throws InterruptedException {
    CompletableFuture<Void> woken = time.after(wait).toCompletableFuture();
    try {
      woken.get();
    } catch (ExecutionException impossible) {
      throw new IllegalStateException("a clock failed", impossible.getCause());
    } finally {
      woken.cancel(false); // an interrupted thread leaves nothing behind
    }
  }

  private static <T> T join(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().join();
    } catch (CompletionException failed) {
      if (failed.getCause() instanceof RuntimeException cause) {
        cause.addSuppressed(new IllegalStateException("asked from here"));
        throw cause;
      }
      throw failed;
    }
  }

  /** Collects what a limiter is made of. Not safe for many threads. */
  public static final class Builder {
    private String name = DEFAULT_NAME;
    private final List<Function<String, Policy>> policies = new ArrayList<>();
    private @Nullable LimitStore store;
    private TimeSource time = TimeSource.system();
    private @Nullable DecisionListener listener;

    private Builder() {}

    /** What the state is kept under; limiters of one name in one store share their counters. */
    public Builder name(String newName) {
      name = Check.notBlank("name", newName);
      return this;
    }

    /** Adds a limit that is enforced, and passed when the store fails. */
    public Builder limit(String limitName, Limit limit) {
      Policy checked = Policy.of(name, limitName, limit);
      policies.add(rule -> Policy.of(rule, checked.name(), checked.limit()));
      return this;
    }

    public Builder policy(Policy policy) {
      Check.notNull("policy", policy);
      policies.add(rule -> policy);
      return this;
    }

    /** Where the state lives; closing it stays with the caller. */
    public Builder store(LimitStore newStore) {
      store = Check.notNull("store", newStore);
      return this;
    }

    /** The clock of the waiting calls and, without a store of its own, of the limits. */
    public Builder time(TimeSource source) {
      time = Check.notNull("time", source);
      return this;
    }

    /** Is told of every decision; without one, {@code tryAcquire} allocates nothing. */
    public Builder listener(DecisionListener newListener) {
      listener = Check.notNull("listener", newListener);
      return this;
    }

    public RateLimiter build() {
      if (policies.isEmpty()) {
        throw new IllegalArgumentException("limits must not be empty");
      }
      LimitStore chosen = store == null ? MemoryStore.builder().time(time).build() : store;
      return new RateLimiter(distinct(), chosen, time, store == null, listener);
    }

    /** The policies under the limiter's name, which may have been given after its limits. */
    private List<Policy> distinct() {
      Set<List<String>> names = new HashSet<>();
      List<Policy> named = policies.stream().map(policy -> policy.apply(name)).toList();
      for (Policy policy : named) {
        if (!names.add(List.of(policy.rule(), policy.name()))) {
          throw new IllegalArgumentException(
              "policies must have different names, was " + policy.name() + " twice");
        }
      }
      return named;
    }
  }
}
