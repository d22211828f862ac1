package dev.weir;

import dev.weir.internal.slots.SlotRenewer;
import java.lang.ref.Cleaner;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A decision whose slots are held until this is closed. Safe for many threads.
 *
 * <pre>{@code
 * try (HeldPermit permit = limiter.hold("tenant-7")) {
 *   if (permit.decision().allowed()) {
 *     serve();
 *   }
 * }
 * }</pre>
 *
 * <p>While it is open, this process renews its slots, together with all others it holds. If the
 * process ends without closing it, the slots are lost after the limit's hold. The same happens to a
 * permit that a program forgets to close, once it is garbage-collected. Permits of other limits
 * stay taken. A denial holds nothing; closing it does nothing.
 */
public final class HeldPermit implements AutoCloseable {
  private final Decision decision;
  private final AsyncRateLimiter limiter;
  private final Optional<SlotRenewer.Renewed> renewed;
  private final AtomicBoolean closed = new AtomicBoolean();

  HeldPermit(Decision decision, AsyncRateLimiter limiter, Optional<SlotRenewer.Renewed> renewed) {
    this.decision = decision;
    this.limiter = limiter;
    this.renewed = renewed;
    renewed.ifPresent(held -> Forgotten.CLEANER.register(this, held::stop));
  }

  /** Loaded, with its thread, only when slots are held for the first time. */
  private static final class Forgotten {
    static final Cleaner CLEANER = Cleaner.create();
  }

  public Decision decision() {
    return decision;
  }

  /** Runs work that needs the permit. */
  <T> T run(Callable<T> work) throws Exception {
    if (!decision.allowed()) {
      throw new DeniedException(decision);
    }
    return work.call();
  }

  /**
   * Whether the slots were lost although this is open: the store was not reached for as long as the
   * limit's hold, or has forgotten the key. Others may have taken them.
   */
  public boolean isLost() {
    return renewed.map(SlotRenewer.Renewed::isLost).orElse(false);
  }

  /** Releases the slots without waiting for the store. Further calls change nothing. */
  public CompletionStage<Void> release() {
    if (!closed.compareAndSet(false, true)) {
      return CompletableFuture.completedFuture(null);
    }
    renewed.ifPresent(SlotRenewer.Renewed::stop);
    try {
      return limiter.release(decision);
    } catch (RuntimeException closed) { // a closed store has no slots that could be released
      return CompletableFuture.failedFuture(closed);
    }
  }

  /** Releases the slots; if the store cannot be reached, they are lost after their hold. */
  @Override
  public void close() {
    release().exceptionally(unreachable -> null);
  }
}
