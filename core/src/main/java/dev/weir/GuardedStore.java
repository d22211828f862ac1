package dev.weir;

import dev.weir.internal.Check;
import dev.weir.internal.guard.BreakerStore;
import dev.weir.internal.guard.DeadlineStore;
import dev.weir.internal.guard.DenyCacheStore;
import dev.weir.internal.guard.LocalShareStore;
import dev.weir.spi.LimitStore;
import dev.weir.spi.Question;
import dev.weir.spi.Verdicts;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;

/**
 * A store that may be away, made calm: put it around any store that is not in this process.
 *
 * <pre>{@code
 * LimitStore store = GuardedStore.around(RedisStore.connect("redis://localhost:6379"));
 * }</pre>
 *
 * <p>From the outside in: denials that still hold are answered at once (deny cache); claims with
 * the policy {@link FailurePolicy#LOCAL} fall back to this instance's share; nodes that are silent
 * are not asked (breaker); no call takes longer than the deadline. Safe for many threads.
 */
public final class GuardedStore implements LimitStore {
  private final LimitStore guarded;

  private GuardedStore(LimitStore guarded) {
    this.guarded = guarded;
  }

  /** With the usual settings. */
  public static GuardedStore around(LimitStore store) {
    return builder(store).build();
  }

  public static Builder builder(LimitStore store) {
    return new Builder(Check.notNull("store", store));
  }

  @Override
  public CompletionStage<Verdicts> decide(Question question) {
    return guarded.decide(question);
  }

  @Override
  public CompletionStage<Verdicts> refund(Receipt receipt) {
    return guarded.refund(receipt);
  }

  @Override
  public CompletionStage<Void> reset(List<Claim> claims) {
    return guarded.reset(claims);
  }

  @Override
  public String node(Claim claim) {
    return guarded.node(claim);
  }

  @Override
  public OptionalInt instances() {
    return guarded.instances();
  }

  /** Closes the store inside, too. */
  @Override
  public void close() {
    guarded.close();
  }

  /** Settings of a {@link GuardedStore}. Not safe for many threads. */
  public static final class Builder {
    private final LimitStore store;
    private Duration deadline = Duration.ofMillis(50);
    private int failuresToOpen = 5;
    private Duration denyCache = Duration.ofSeconds(1);
    private int denyCacheEntries = 50_000;
    private OptionalInt instances = OptionalInt.empty();
    private GuardListener listener = new GuardListener() {};

    private Builder(LimitStore store) {
      this.store = store;
    }

    /** The longest any call takes: 50 ms unless said otherwise. */
    public Builder deadline(Duration newDeadline) {
      deadline = Check.period("deadline", newDeadline);
      return this;
    }

    /** How many silent failures in a row stop a node from being asked: 5 by default. */
    public Builder breakerAfter(int failures) {
      Check.atLeastOne("failures", failures);
      failuresToOpen = failures;
      return this;
    }

    /**
     * For how long a denial may be repeated without asking: one second by default, zero switches it
     * off. Permits that others give back earlier are noticed that much later.
     */
    public Builder denyCache(Duration longest) {
      denyCache = Check.notNegative("longest", longest);
      return this;
    }

    /** How many instances share the limits, for local shares; otherwise the store is asked. */
    public Builder instances(int count) {
      Check.atLeastOne("instances", count);
      instances = OptionalInt.of(count);
      return this;
    }

    public Builder listener(GuardListener newListener) {
      listener = Check.notNull("listener", newListener);
      return this;
    }

    public GuardedStore build() {
      LimitStore timed = new DeadlineStore(store, deadline);
      LimitStore broken = new BreakerStore(timed, failuresToOpen, listener);
      LimitStore shared = new LocalShareStore(broken, instances, listener);
      return new GuardedStore(
          denyCache.isZero()
              ? shared
              : new DenyCacheStore(shared, denyCache, denyCacheEntries, System::nanoTime));
    }
  }
}
