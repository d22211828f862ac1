package dev.weir;

import dev.weir.internal.Check;
import dev.weir.internal.guard.GuardBounds;
import dev.weir.internal.guard.GuardEvents;
import dev.weir.internal.guard.GuardPipeline;
import dev.weir.internal.guard.GuardWarmUp;
import dev.weir.spi.ForwardingLimitStore;
import dev.weir.spi.LimitStore;
import java.time.Duration;
import java.util.OptionalInt;

/**
 * Wraps a remote store with leases, a deny cache, failure policies, circuit breakers and a
 * deadline. Safe for many threads.
 *
 * <pre>{@code
 * LimitStore store = GuardedStore.around(RedisStore.connect("redis://localhost:6379"));
 * }</pre>
 *
 * <p>From the outside in: hot keys of policies with a {@link Lease} are answered from permits taken
 * in advance; denials that still hold are answered at once (deny cache); claims with the policy
 * {@link FailurePolicy#LOCAL} fall back to this instance's share; no calls are sent to nodes that
 * do not answer (circuit breaker); no call takes longer than the deadline.
 *
 * <p><b>Which thread completes an answer.</b> The caller's thread, if the answer is known at once:
 * from the deny cache, or while a breaker is open. A thread of the store, if the store answered or
 * failed in time. A thread for callbacks, named {@code weir-callback-…}, if the deadline ended the
 * call. Up to 32 continuations may block such threads at once before a further one waits;
 * continuations that wait for another answer of a limiter do not count. Deadlines, probes and
 * charges do not depend on any of these threads.
 *
 * <p>After {@link #close}, every call fails with an {@link IllegalStateException}.
 */
public final class GuardedStore extends ForwardingLimitStore {
  private final GuardPipeline pipeline;

  private GuardedStore(GuardPipeline pipeline) {
    super(pipeline);
    this.pipeline = pipeline;
  }

  /** Guards a store with the default settings. */
  public static GuardedStore around(LimitStore store) {
    return builder(store).build();
  }

  public static Builder builder(LimitStore store) {
    return new Builder(Check.notNull("store", store));
  }

  /**
   * Runs the guards of this process through a short outage of a simulated store, so that the first
   * real outage is answered as fast as later ones. Call it before the first request; it takes some
   * milliseconds and changes no state.
   */
  public static void warmUp() {
    GuardWarmUp.run();
  }

  /** What this instance has leased of hot keys, and what leases have done. */
  public LeaseStatus leases() {
    return pipeline.leases();
  }

  /**
   * Closes this store and the one inside. First gives leased permits back and charges local use;
   * each of the two may take half a second at most.
   */
  @Override
  public void close() {
    super.close();
  }

  /** Settings of a {@link GuardedStore}. Not safe for many threads. */
  public static final class Builder {
    private final LimitStore store;
    private Duration deadline = Duration.ofMillis(50);
    private int failuresToOpen = 5;
    private Duration denyCache = Duration.ofSeconds(1);
    private OptionalInt instances = OptionalInt.empty();
    private GuardListener listener = new GuardListener() {};

    private Builder(LimitStore store) {
      this.store = store;
    }

    /** The longest any call takes: 50 ms by default. */
    public Builder deadline(Duration newDeadline) {
      deadline = Check.period("deadline", newDeadline);
      return this;
    }

    /**
     * How many unanswered calls in a row open the circuit breaker of a node: 5 by default. One
     * pause can make all calls in flight late, so they open it only when a later call fails, too.
     */
    public Builder breakerAfter(int failures) {
      Check.atLeastOne("failures", failures);
      failuresToOpen = failures;
      return this;
    }

    /**
     * How long a denial may be repeated without asking the store: one second by default, zero
     * switches the cache off. Permits that another instance gives back meanwhile are noticed that
     * much later.
     */
    public Builder denyCache(Duration longest) {
      denyCache = Check.notNegative("longest", longest);
      return this;
    }

    /** How many instances share the limits, for local shares; by default the store is asked. */
    public Builder instances(int count) {
      Check.atLeastOne("instances", count);
      instances = OptionalInt.of(count);
      return this;
    }

    /** Receives each change of state, on a thread for callbacks. */
    public Builder listener(GuardListener newListener) {
      listener = Check.notNull("listener", newListener);
      return this;
    }

    public GuardedStore build() {
      GuardPipeline.Settings settings =
          new GuardPipeline.Settings(
              deadline,
              failuresToOpen,
              denyCache,
              GuardBounds.ofThisProcess().denials(),
              instances);
      return new GuardedStore(GuardPipeline.around(store, settings, GuardEvents.of(listener)));
    }
  }
}
