package dev.weir.internal.guard;

import dev.weir.Claim;
import dev.weir.Receipt;
import dev.weir.Source;
import dev.weir.internal.Micros;
import dev.weir.spi.LimitStore;
import dev.weir.spi.Operation;
import dev.weir.spi.Question;
import dev.weir.spi.Verdict;
import dev.weir.spi.Verdicts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Denies what the store has just denied and must still deny: traffic over the limit hardly reaches
 * the store.
 *
 * <p>A denial is remembered until the wait it named is over, counted from before the question was
 * sent, and for one second at most, because elsewhere permits may be given back earlier. So nothing
 * is denied for longer than that bound that the store would have allowed. A question is answered
 * from here only if the store has told of each of its claims, under the same limit, and one of them
 * was denied for as many permits or fewer. Peeks and charges pass by.
 *
 * <p>Memory is bounded: two generations of at most {@code maxEntries} each; the older one goes when
 * everything in it has expired, or when the younger one is full.
 */
public final class DenyCacheStore extends Decorator {
  private final long longestNanos;
  private final int maxEntries;
  private final LongSupplier nanoTime;

  private volatile Generation young;
  private volatile Generation old;

  private record Generation(long sinceNanos, ConcurrentHashMap<StateKey, Entry> entries) {}

  /** What the store said of a claim: for how long that is of use, and until when it denies. */
  private record Entry(
      Claim claim, Verdict verdict, long askedNanos, long usefulUntil, long deniesUntil) {
    boolean denies(Claim asked, long now) {
      return now - deniesUntil < 0
          && asked.permits() >= claim.permits()
          && asked.permits() <= asked.policy().limit().capacity();
    }
  }

  public DenyCacheStore(LimitStore store, Duration longest, int maxEntries, LongSupplier nanoTime) {
    super(store);
    this.longestNanos = longest.toNanos();
    this.maxEntries = maxEntries;
    this.nanoTime = nanoTime;
    this.young = generation();
    this.old = generation();
  }

  @Override
  public CompletionStage<Verdicts> decide(Question question) {
    if (question.operation() == Operation.CHARGE) {
      question.claims().forEach(this::forget);
    }
    if (question.operation() != Operation.ACQUIRE) {
      return store.decide(question);
    }
    long now = nanoTime.getAsLong();
    Verdicts known = recall(question, now);
    if (known != null) {
      return CompletableFuture.completedFuture(known);
    }
    return store.decide(question).thenApply(verdicts -> remember(question, verdicts, now));
  }

  @Override
  public CompletionStage<Verdicts> refund(Receipt receipt) {
    receipt.claims().forEach(this::forget);
    return store.refund(receipt);
  }

  @Override
  public CompletionStage<Void> reset(List<Claim> claims) {
    claims.forEach(this::forget);
    return store.reset(claims);
  }

  private @Nullable Verdicts recall(Question question, long now) {
    boolean denied = false;
    List<Verdict> each = new ArrayList<>(question.claims().size());
    for (Claim claim : question.claims()) {
      Entry entry = find(claim, now);
      if (entry == null) {
        return null;
      }
      boolean holds = entry.denies(claim, now);
      denied |= holds && claim.policy().enforced();
      each.add(aged(entry, now, holds));
    }
    return denied ? new Verdicts(false, each) : null;
  }

  private @Nullable Entry find(Claim claim, long now) {
    StateKey name = StateKey.of(claim);
    Entry entry = young.entries.get(name);
    entry = entry == null ? old.entries.get(name) : entry;
    return entry != null
            && now - entry.usefulUntil < 0
            && entry.claim.policy().equals(claim.policy())
        ? entry
        : null;
  }

  /** The verdict as it would read now; a larger request waits at least as long. */
  private static Verdict aged(Entry entry, long now, boolean holds) {
    Verdict verdict = entry.verdict;
    long passed = (now - entry.askedNanos) / 1000;
    long retryAfter = verdict.retryAfterMicros();
    if (holds && retryAfter != Micros.NEVER) {
      retryAfter = Math.max(1, retryAfter - passed);
    }
    return new Verdict(
            verdict.atMicros() + passed,
            !holds,
            verdict.remaining(),
            holds ? retryAfter : 0,
            Math.max(0, verdict.resetAfterMicros() - passed))
        .from(Source.DENY_CACHE);
  }

  private Verdicts remember(Question question, Verdicts verdicts, long asked) {
    if (verdicts.allowed()) {
      question.claims().forEach(this::forget); // what was denied before now waits for longer
      return verdicts;
    }
    if (verdicts.each().stream().anyMatch(Verdict::isFailure)) {
      return verdicts;
    }
    long longest = 0;
    for (int i = 0; i < question.claims().size(); i++) {
      if (question.claims().get(i).policy().enforced()) {
        longest = Math.max(longest, deniesFor(verdicts.each().get(i)));
      }
    }
    Generation generation = youngAt(asked);
    for (int i = 0; i < question.claims().size(); i++) {
      Claim claim = question.claims().get(i);
      Verdict verdict = verdicts.each().get(i);
      generation.entries.put(
          StateKey.of(claim),
          new Entry(claim, verdict, asked, asked + longest, asked + deniesFor(verdict)));
    }
    return verdicts;
  }

  private long deniesFor(Verdict verdict) {
    return verdict.fits() ? 0 : Math.min(verdict.retryAfterMicros(), longestNanos / 1000) * 1000;
  }

  private synchronized Generation youngAt(long now) {
    if (now - young.sinceNanos > longestNanos || young.entries.size() >= maxEntries) {
      old = young;
      young = generation();
    }
    return young;
  }

  private void forget(Claim claim) {
    if (!young.entries.isEmpty() || !old.entries.isEmpty()) {
      StateKey name = StateKey.of(claim);
      young.entries.remove(name);
      old.entries.remove(name);
    }
  }

  private Generation generation() {
    return new Generation(nanoTime.getAsLong(), new ConcurrentHashMap<>());
  }
}
