package dev.weir.internal.guard;

import dev.weir.Claim;
import dev.weir.FailurePolicy;
import dev.weir.LeaseStatus;
import dev.weir.Receipt;
import dev.weir.internal.CompletionFailures;
import dev.weir.internal.schedule.RepeatingTask;
import dev.weir.internal.schedule.Workers;
import dev.weir.spi.LeaseAnswer;
import dev.weir.spi.LimitStore;
import dev.weir.spi.Operation;
import dev.weir.spi.Question;
import dev.weir.spi.Verdict;
import dev.weir.spi.Verdicts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers questions about hot keys from permits that were taken from the store in advance.
 *
 * <p>A question is served here if all its policies are enforced and have a lease. Requests for a
 * cold key go to the store as they would without leases. Once a key gets several requests in a
 * period, permits for about a period are leased in one call, and the next lease is requested before
 * they are spent. {@link LeaseSize} says how many to lease. {@link LeaseTerms} says how long they
 * may be spent and how many may be out, so that the limit holds. While the limit is reached,
 * denials are answered here, too, and the store is asked about once per hundred requests.
 *
 * <p>A request waits for a lease only if nothing is left and no lease has been requested; requests
 * that come meanwhile ask the store as they would without leases. Unspent permits of an idle key go
 * back to the store within a period, and those of all keys when this store is closed. A lease whose
 * answer is lost is never spent.
 */
final class LeaseStore extends GuardStage {
  private static final Duration PATIENCE_AT_CLOSE = Duration.ofMillis(500);
  private static final Duration SWEEP_INTERVAL = Duration.ofMillis(100);

  private final LongSupplier nanoTime;
  private final DoubleSupplier random;
  private final GenerationalMap<Object, LeasedKey> cold;
  private final ConcurrentHashMap<Object, LeasedKey> leased = new ConcurrentHashMap<>();
  private final LeaseCounters counters = new LeaseCounters();
  private final RepeatingTask sweeping =
      new RepeatingTask("giving back leases", Workers.EXECUTOR, this::sweep);
  private final AtomicBoolean sweeps;

  private LeaseStore(
      LimitStore store,
      int maxKeys,
      LongSupplier nanoTime,
      DoubleSupplier random,
      boolean sweepsItself) {
    super(store);
    this.nanoTime = nanoTime;
    this.random = random;
    this.cold = new GenerationalMap<>(maxKeys);
    this.sweeps = new AtomicBoolean(!sweepsItself);
  }

  /**
   * @param maxKeys bounds memory: about how many keys are watched
   */
  static LeaseStore around(LimitStore store, int maxKeys) {
    DoubleSupplier random = () -> ThreadLocalRandom.current().nextDouble();
    return new LeaseStore(store, maxKeys, System::nanoTime, random, true);
  }

  /**
   * For tests: idle keys are given back by {@link #sweep} alone.
   *
   * @param random from 0 on, less than 1
   */
  static LeaseStore swept(
      LimitStore store, int maxKeys, LongSupplier nanoTime, DoubleSupplier random) {
    return new LeaseStore(store, maxKeys, nanoTime, random, false);
  }

  @Override
  public CompletionStage<Verdicts> decide(Question question) {
    if (!canBeLeased(question)) {
      return store().decide(LeaseTerms.stored(question));
    }
    long now = nanoTime.getAsLong();
    LeasedKey key = find(question.claims(), now);
    if (!key.inStore.canLease(question)) {
      return store().decide(question.about(key.inStore.stored(question)));
    }
    Verdicts here =
        question.operation() == Operation.PEEK
            ? key.peek(question, now)
            : key.answer(question, now);
    if (question.operation() == Operation.PEEK) {
      return here == null
          ? store().decide(question.about(key.inStore.stored(question)))
          : CompletableFuture.completedFuture(here);
    }
    LeasedKey.Request request = key.nextRequest(question, now);
    if (here != null) {
      if (request != null) {
        request(key, question, request, false);
      }
      return CompletableFuture.completedFuture(here);
    }
    return request == null
        ? decideInStore(key, question, now)
        : request(key, question, request, true);
  }

  /**
   * Asks the store without a lease: the key is cold, a request for a lease is under way, or other
   * instances hold all permits that may be leased.
   */
  private CompletionStage<Verdicts> decideInStore(LeasedKey key, Question question, long sent) {
    int version = key.version();
    return store()
        .decide(question.about(key.inStore.stored(question)))
        .thenApply(
            answer -> {
              key.decided(question, answer, version, sent, nanoTime.getAsLong());
              return answer;
            });
  }

  /** A question with a holder is not leased: the store keeps its slots or remembers its answer. */
  private static boolean canBeLeased(Question question) {
    if (question.operation() == Operation.CHARGE || question.holder().isPresent()) {
      return false;
    }
    for (Claim claim : question.claims()) {
      if (claim.policy().lease().isEmpty() || !claim.policy().enforced() || claim.permits() == 0) {
        return false;
      }
    }
    return true;
  }

  private LeasedKey find(List<Claim> claims, long now) {
    Object name = name(claims);
    LeasedKey known = leased.get(name);
    if (known == null) {
      known = cold.get(name);
    }
    if (known != null && known.isUnder(claims)) {
      return known;
    }
    if (known != null) {
      known.forget();
      leased.remove(name, known);
    }
    LeasedKey created = new LeasedKey(claims, now, counters, random);
    cold.put(name, created);
    return created;
  }

  private static Object name(List<Claim> claims) {
    return claims.size() == 1
        ? StateKey.of(claims.get(0))
        : claims.stream().map(StateKey::of).toList();
  }

  /**
   * Requests a lease.
   *
   * @param takesFirst whether the lease also serves the question; then completes with its answer
   */
  private CompletionStage<Verdicts> request(
      LeasedKey key, Question question, LeasedKey.Request request, boolean takesFirst) {
    leased.put(name(question.claims()), key);
    if (sweeps.compareAndSet(false, true)) {
      sweeping.start(SWEEP_INTERVAL);
    }
    if (request.report() > 0) {
      store().decide(key.report(request)).thenAccept(key::reported);
    }
    long sent = nanoTime.getAsLong();
    return store()
        .lease(key.inStore.leasing(question), request.times())
        .handle(
            (answer, thrown) -> {
              if (answer == null || anyFailed(answer)) {
                key.failed();
                return afterFailure(key, question, answer, thrown, takesFirst);
              }
              long now = nanoTime.getAsLong();
              Verdicts own = key.answered(question, request, answer, takesFirst, sent, now);
              return takesFirst && own == null
                  ? store()
                      .decide(
                          question.about(key.inStore.stored(question))) // nothing could be leased
                  : CompletableFuture.completedFuture(own);
            })
        .thenCompose(answer -> answer);
  }

  private static boolean anyFailed(LeaseAnswer answer) {
    return answer.verdicts().each().stream().anyMatch(Verdict::isFailure);
  }

  /** Local shares do not answer failed requests for leases, so the question itself is sent. */
  private CompletionStage<Verdicts> afterFailure(
      LeasedKey key,
      Question question,
      @Nullable LeaseAnswer answer,
      @Nullable Throwable thrown,
      boolean takesFirst) {
    boolean hasLocal =
        question.claims().stream()
            .anyMatch(claim -> claim.policy().onStoreFailure() == FailurePolicy.LOCAL);
    if (takesFirst && hasLocal) {
      return store().decide(question.about(key.inStore.stored(question)));
    }
    return answer == null
        ? CompletableFuture.failedFuture(CompletionFailures.unwrap(thrown))
        : CompletableFuture.completedFuture(key.inStore.own(answer.verdicts()));
  }

  @Override
  public CompletionStage<Verdicts> refund(Receipt receipt) {
    List<Claim> claims = receipt.claims();
    LeasedKey key = leased.get(name(claims));
    long now = nanoTime.getAsLong();
    Verdicts after = key != null && key.isUnder(claims) ? key.putBack(receipt, now) : null;
    return after == null
        ? store().refund(LeaseTerms.stored(receipt))
        : CompletableFuture.completedFuture(after);
  }

  @Override
  public CompletionStage<Verdicts> settle(Receipt receipt, List<Long> costs) {
    return store().settle(LeaseTerms.stored(receipt), costs);
  }

  @Override
  public CompletionStage<Void> forget(Question question) {
    return store().forget(LeaseTerms.stored(question));
  }

  /** Ends leases of the keys before the call is sent; leases requested before are not used. */
  @Override
  public CompletionStage<Void> reset(List<Claim> claims) {
    forget(claims);
    return store().reset(claims).whenComplete((done, thrown) -> forget(claims));
  }

  private void forget(List<Claim> claims) {
    for (LeasedKey key : leased.values()) {
      if (key.drawsOn(claims)) {
        key.forget();
      }
    }
  }

  /** Unspent permits of the first of these claims, which are leased together. */
  long unspent(List<Claim> claims) {
    LeasedKey key = leased.get(name(claims));
    return key == null ? 0 : key.unspent(0, nanoTime.getAsLong());
  }

  /** What is leased now, and what leases have done. */
  LeaseStatus status() {
    long now = nanoTime.getAsLong();
    List<LeaseStatus.Held> held = new ArrayList<>();
    leased.values().forEach(key -> key.addHeld(held, now));
    return counters.status(held);
  }

  /** Gives back what idle keys have left. */
  void sweep() {
    long now = nanoTime.getAsLong();
    List<LeasedKey> idle = new ArrayList<>();
    leased.forEach(
        (name, key) -> {
          if (key.isIdle(now)) {
            leased.remove(name, key);
            cold.put(name, key);
            idle.add(key);
          }
        });
    giveBack(idle);
  }

  private CompletableFuture<Void> giveBack(Collection<LeasedKey> keys) {
    long now = nanoTime.getAsLong();
    List<CompletableFuture<?>> under = new ArrayList<>();
    for (LeasedKey key : keys) {
      List<Receipt.Grant> left = key.drain(now);
      if (!left.isEmpty()) {
        left.forEach(grant -> counters.returned.add(grant.claim().permits()));
        under.add(store().refund(new Receipt(left)).toCompletableFuture());
      }
    }
    return CompletableFuture.allOf(under.toArray(CompletableFuture<?>[]::new));
  }

  @Override
  public void close() {
    sweeping.close();
    try {
      giveBack(leased.values()).get(PATIENCE_AT_CLOSE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException notConfirmed) {
      // permits that could not be given back expire
    }
    leased.clear();
    super.close();
  }
}
