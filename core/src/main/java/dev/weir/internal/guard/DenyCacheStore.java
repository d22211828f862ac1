package dev.weir.internal.guard;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.Receipt;
import dev.weir.Source;
import dev.weir.internal.Micros;
import dev.weir.internal.arithmetic.TokenBucketMeter;
import dev.weir.spi.LimitStore;
import dev.weir.spi.Operation;
import dev.weir.spi.Question;
import dev.weir.spi.Verdict;
import dev.weir.spi.Verdicts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Repeats denials that the store gave a moment ago and would still give, so that most requests over
 * the limit do not reach the store.
 *
 * <p>A denial is remembered until the wait it named is over, counted from before the question was
 * sent, and for one second at most, because permits may be given back earlier on another instance.
 * A cached denial outlives the store's own by at most that bound. A question is answered from here
 * only if the store has answered each of its claims, under the same limit, and has denied one of
 * them for the same number of permits or fewer. If it was for fewer, the wait must follow from that
 * denial: in sliding windows and logs only the store knows how much longer a larger request waits.
 * Peeks, charges, questions with a request id and denials for lack of slots are not cached.
 *
 * <p>Refunds and resets through this instance take effect at once: the key is removed before the
 * call is sent and again after it is confirmed. An answer that was under way meanwhile is not
 * cached.
 */
public final class DenyCacheStore extends GuardStage {
  private final long longestNanos;
  private final LongSupplier nanoTime;
  private final GenerationalMap<StateKey, CachedVerdict> entries;
  private final KeyVersions versions = new KeyVersions();
  private volatile long generationSinceNanos;

  /** The store's verdict on a claim: until when it is kept, and until when it denies. */
  private record CachedVerdict(
      Claim claim, Verdict verdict, long askedNanos, long usefulUntil, long deniesUntil) {
    boolean denies(Claim asked, long now) {
      return now - deniesUntil < 0
          && asked.permits() >= claim.permits()
          && asked.permits() <= asked.policy().limit().capacity();
    }

    /**
     * How much longer a request waits that asks for more permits; empty if only the store knows.
     */
    OptionalLong longerMicros(Claim asked) {
      long more = asked.permits() - claim.permits();
      if (more == 0 || asked.policy().limit() instanceof Limit.FixedWindow) {
        return OptionalLong.of(0);
      }
      return asked.policy().limit() instanceof Limit.TokenBucket bucket
          ? OptionalLong.of(TokenBucketMeter.fillMicros(bucket, more))
          : OptionalLong.empty();
    }
  }

  /**
   * @param longest how long a denial is repeated at most
   * @param maxEntries bounds memory: between one and two times as many are kept
   */
  public DenyCacheStore(LimitStore store, Duration longest, int maxEntries, LongSupplier nanoTime) {
    super(store);
    this.longestNanos = longest.toNanos();
    this.nanoTime = nanoTime;
    this.entries = new GenerationalMap<>(maxEntries);
    this.generationSinceNanos = nanoTime.getAsLong();
  }

  @Override
  public CompletionStage<Verdicts> decide(Question question) {
    if (question.operation() == Operation.CHARGE) {
      forget(question.claims());
    }
    if (question.operation() != Operation.ACQUIRE || question.requestId().isPresent()) {
      return store().decide(question); // only the store knows what it answered to a request id
    }
    long now = nanoTime.getAsLong();
    Verdicts known = recall(question, now);
    if (known != null) {
      return CompletableFuture.completedFuture(known);
    }
    long version = versions.of(question.claims());
    return store()
        .decide(question)
        .thenApply(verdicts -> remember(question, verdicts, now, version));
  }

  @Override
  public CompletionStage<Verdicts> refund(Receipt receipt) {
    List<Claim> claims = receipt.claims();
    invalidate(claims);
    return store().refund(receipt).whenComplete((done, thrown) -> invalidate(claims));
  }

  @Override
  public CompletionStage<Verdicts> settle(Receipt receipt, List<Long> costs) {
    List<Claim> claims = receipt.claims();
    invalidate(claims);
    return store().settle(receipt, costs).whenComplete((done, thrown) -> invalidate(claims));
  }

  @Override
  public CompletionStage<Void> reset(List<Claim> claims) {
    invalidate(claims);
    return store().reset(claims).whenComplete((done, thrown) -> invalidate(claims));
  }

  private @Nullable Verdicts recall(Question question, long now) {
    boolean denied = false;
    List<Verdict> each = new ArrayList<>(question.claims().size());
    for (Claim claim : question.claims()) {
      CachedVerdict entry = find(claim, now);
      if (entry == null) {
        return null;
      }
      boolean holds = entry.denies(claim, now);
      OptionalLong longer = holds ? entry.longerMicros(claim) : OptionalLong.of(0);
      if (longer.isEmpty()) {
        return null;
      }
      denied |= holds && claim.policy().enforced();
      each.add(aged(entry, now, holds, longer.getAsLong()));
    }
    return denied ? new Verdicts(false, each) : null;
  }

  private @Nullable CachedVerdict find(Claim claim, long now) {
    CachedVerdict entry = entries.get(StateKey.of(claim));
    return entry != null
            && now - entry.usefulUntil < 0
            && entry.claim.policy().equals(claim.policy())
        ? entry
        : null;
  }

  /**
   * The verdict as it would read now.
   *
   * @param longerMicros how much longer a larger request waits
   */
  private static Verdict aged(CachedVerdict entry, long now, boolean holds, long longerMicros) {
    Verdict verdict = entry.verdict;
    long passed = (now - entry.askedNanos) / 1000;
    long retryAfter = verdict.retryAfterMicros();
    if (holds && retryAfter != Micros.NEVER) {
      retryAfter = Math.max(1, retryAfter - passed + longerMicros);
    }
    return new Verdict(
            verdict.atMicros() + passed,
            !holds,
            verdict.remaining(),
            holds ? retryAfter : 0,
            Math.max(0, verdict.resetAfterMicros() - passed))
        .from(Source.DENY_CACHE);
  }

  /**
   * @param version of the claims' keys before the question was sent
   */
  private Verdicts remember(Question question, Verdicts verdicts, long asked, long version) {
    if (verdicts.allowed()) {
      forget(question.claims()); // permits were taken, so cached waits are now too short
    } else if (verdicts.each().stream().noneMatch(Verdict::isFailure)
        && versions.of(question.claims()) == version) {
      putAll(question, verdicts, asked);
      if (versions.of(question.claims()) != version) {
        forget(question.claims()); // a refund or reset came between the check and the put
      }
    }
    return verdicts;
  }

  private void putAll(Question question, Verdicts verdicts, long asked) {
    rotateAt(asked);
    long longest = 0;
    for (int i = 0; i < question.claims().size(); i++) {
      if (question.claims().get(i).policy().enforced()) {
        longest = Math.max(longest, deniesFor(question.claims().get(i), verdicts.each().get(i)));
      }
    }
    for (int i = 0; i < question.claims().size(); i++) {
      Claim claim = question.claims().get(i);
      Verdict verdict = verdicts.each().get(i);
      CachedVerdict known = find(claim, asked);
      if (known == null || !known.denies(claim, asked)) { // it denies smaller requests as well
        entries.put(
            StateKey.of(claim),
            new CachedVerdict(
                claim, verdict, asked, asked + longest, asked + deniesFor(claim, verdict)));
      }
    }
  }

  /** Slots are released at any time, so their denial is not repeated. */
  private long deniesFor(Claim claim, Verdict verdict) {
    return verdict.fits() || claim.policy().limit().algorithm() == Algorithm.IN_FLIGHT
        ? 0
        : Math.min(verdict.retryAfterMicros(), longestNanos / 1000) * 1000;
  }

  /** Drops the generation in which everything has expired. */
  private void rotateAt(long now) {
    if (now - generationSinceNanos > longestNanos) {
      synchronized (this) {
        if (now - generationSinceNanos > longestNanos) {
          generationSinceNanos = now;
          entries.rotate();
        }
      }
    }
  }

  private void invalidate(List<Claim> claims) {
    versions.increment(claims);
    forget(claims);
  }

  private void forget(List<Claim> claims) {
    if (!entries.isEmpty()) {
      claims.forEach(claim -> entries.remove(StateKey.of(claim)));
    }
  }
}
