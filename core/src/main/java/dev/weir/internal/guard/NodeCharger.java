package dev.weir.internal.guard;

import dev.weir.Claim;
import dev.weir.StoreUnavailableException;
import dev.weir.internal.CompletionFailures;
import dev.weir.internal.guard.LocalUseLedger.LocalUse;
import dev.weir.internal.schedule.Workers;
import dev.weir.spi.LimitStore;
import dev.weir.spi.Operation;
import dev.weir.spi.Question;
import dev.weir.spi.Verdicts;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Charges one node for local use of its keys. A peek comes first: it takes nothing, and shows
 * whether the node answers. Then a few claims are charged at a time, and the next are sent when the
 * outcome is known. It ends at the first failure that concerns the node; the other entries wait for
 * the next round.
 *
 * <p>A charge that was refused is sent again in a later round. A charge with an unknown outcome is
 * sent once more and then dropped, so it counts at most twice.
 */
final class NodeCharger {
  private static final int CLAIMS_PER_CHARGE = 20;

  /** Continuations run here, not on the store's own threads, which have answers to deliver. */
  private static final Executor EXECUTOR = Workers.EXECUTOR;

  private final LocalUseLedger ledger;
  private final LimitStore store;
  private final UnaryOperator<Claim> stillInUse;
  private final GuardEvents events;
  private final Deque<LocalUse> entries;
  private final AtomicInteger finished;

  /**
   * @param entries of one node, at least one
   * @param finished counts the entries that need no further attempt
   */
  NodeCharger(
      LocalUseLedger ledger,
      LimitStore store,
      UnaryOperator<Claim> stillInUse,
      GuardEvents events,
      Deque<LocalUse> entries,
      AtomicInteger finished) {
    this.ledger = ledger;
    this.store = store;
    this.stillInUse = stillInUse;
    this.events = events;
    this.entries = entries;
    this.finished = finished;
  }

  /** Completes normally when nothing more can be done in this round. */
  CompletableFuture<Void> run() {
    Claim witness = entries.getFirst().claim();
    return send(new Question(Operation.PEEK, List.of(witness)))
        .thenComposeAsync(failures -> isThere(failures.get(0)) ? chargeNext() : done(), EXECUTOR);
  }

  /** Charges the next few, and so on until all are charged or the node fails. */
  private CompletableFuture<Void> chargeNext() {
    List<LocalUse> taken = takeNext();
    if (taken.isEmpty()) {
      return done();
    }
    List<Claim> claims = claims(taken);
    return send(new Question(Operation.CHARGE, claims))
        .thenComposeAsync(failures -> note(taken, failures) ? chargeNext() : done(), EXECUTOR);
  }

  private List<Claim> claims(List<LocalUse> taken) {
    try {
      return taken.stream().map(entry -> stillInUse.apply(entry.claim())).toList();
    } catch (RuntimeException failed) {
      taken.forEach(ledger::putBack); // nothing was sent
      throw failed;
    }
  }

  private static boolean isThere(@Nullable StoreUnavailableException failure) {
    return failure == null || failure.concernsKey();
  }

  /** Takes no two entries of one state, because a question would merge them. */
  private List<LocalUse> takeNext() {
    List<LocalUse> taken = new ArrayList<>(CLAIMS_PER_CHARGE);
    while (taken.size() < CLAIMS_PER_CHARGE && !entries.isEmpty()) {
      Claim next = entries.getFirst().claim();
      if (taken.stream().anyMatch(entry -> entry.claim().sameState(next))) {
        return taken;
      }
      LocalUse entry = ledger.take(entries.removeFirst());
      if (entry != null) {
        taken.add(entry);
      }
    }
    return taken;
  }

  /** Notes the outcome of each charge; returns whether the node answered all of them. */
  private boolean note(List<LocalUse> taken, List<@Nullable StoreUnavailableException> failures) {
    boolean goesOn = true;
    int givenUp = 0;
    for (int i = 0; i < taken.size(); i++) {
      StoreUnavailableException failure = failures.get(i);
      if (isThere(failure)) {
        finished.incrementAndGet(); // foreign data under a key cannot be charged, now or later
      } else if (failure.isRefusal()) {
        ledger.putBack(taken.get(i));
        goesOn = false;
      } else {
        givenUp += ledger.putInDoubt(taken.get(i)) ? 0 : 1;
        goesOn = false;
      }
    }
    if (givenUp > 0) {
      events.chargesGivenUp(givenUp);
    }
    return goesOn;
  }

  /** The failure of each claim, or null; never fails itself. */
  private CompletableFuture<List<@Nullable StoreUnavailableException>> send(Question question) {
    return decide(question)
        .handle(
            (verdicts, thrown) -> {
              List<@Nullable StoreUnavailableException> failures = new ArrayList<>();
              for (int i = 0; i < question.claims().size(); i++) {
                failures.add(failure(verdicts, i, thrown));
              }
              return failures;
            });
  }

  private CompletableFuture<Verdicts> decide(Question question) {
    try {
      return store.decide(question).toCompletableFuture();
    } catch (RuntimeException failed) {
      return CompletableFuture.failedFuture(failed);
    }
  }

  private static @Nullable StoreUnavailableException failure(
      @Nullable Verdicts verdicts, int index, @Nullable Throwable thrown) {
    if (verdicts != null) {
      return verdicts.each().get(index).failure();
    }
    Throwable cause = CompletionFailures.unwrap(thrown);
    return cause instanceof StoreUnavailableException known
        ? known
        : new StoreUnavailableException("the charge failed: " + cause, cause);
  }

  private static CompletableFuture<Void> done() {
    return CompletableFuture.completedFuture(null);
  }
}
