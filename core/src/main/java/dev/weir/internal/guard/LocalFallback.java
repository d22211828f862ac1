package dev.weir.internal.guard;

import dev.weir.Claim;
import dev.weir.MemoryStore;
import dev.weir.Source;
import dev.weir.StoreUnavailableException;
import dev.weir.TimeSource;
import dev.weir.internal.CompletionFailures;
import dev.weir.spi.Operation;
import dev.weir.spi.Question;
import dev.weir.spi.Verdict;
import dev.weir.spi.Verdicts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Answers from this instance's share of limits, in process. Safe for many threads.
 *
 * <p>Local use is remembered for as long as it counts in the limit, also after the store was
 * charged: all outages within one window together hand out one share. A key starts with the
 * remaining permits of the store's last answer, if that is less. Example: a limit of 100 per hour,
 * two instances, 60 left in the store. The share is 50, so 50 pass here; in a second outage in the
 * same hour, none do.
 *
 * <p>Memory is bounded. While as many keys wait to be charged as {@link GuardBounds} permits,
 * further keys are denied. If more keys than that are in use in one window, those with the least
 * use are forgotten.
 */
final class LocalFallback {
  private final MemoryStore local;
  private final LastRemaining lastRemaining;
  private final LocalUseLedger ledger;
  private volatile int lastInstances = 1;

  LocalFallback(GuardBounds bounds, LocalUseLedger ledger, TimeSource time) {
    this.local =
        MemoryStore.builder()
            .maxKeys(bounds.keys())
            .maxBytes(bounds.localBytes())
            .time(time)
            .build();
    this.lastRemaining = new LastRemaining(bounds.keys(), time::nowMicros);
    this.ledger = ledger;
  }

  /** The store has answered: its count replaces this instance's. */
  void remember(Claim claim, Verdict verdict) {
    lastRemaining.remember(claim, verdict);
  }

  /** Forgets what was used of a key that the store has reset. */
  void forget(List<Claim> claims) {
    claims.forEach(lastRemaining::forget);
    claims.forEach(ledger::forget);
    CompletionFailures.join(local.reset(claims));
  }

  /** Answers for each claim, all or nothing. */
  List<Verdict> answer(Question question, int instances) {
    lastInstances = instances;
    List<Claim> shares = new ArrayList<>(question.claims().size());
    for (Claim claim : question.claims()) {
      Optional<Claim> share = LimitShare.of(claim, instances);
      if (share.isEmpty() || !ledger.hasRoomFor(claim)) {
        return denied(question);
      }
      shares.add(share.get());
    }
    try {
      shares.forEach(this::seed);
      Verdicts verdicts =
          CompletionFailures.join(local.decide(new Question(question.operation(), shares)));
      note(question, shares, verdicts);
      return verdicts.each().stream().map(verdict -> verdict.from(Source.FALLBACK)).toList();
    } catch (StoreUnavailableException full) {
      return denied(question);
    }
  }

  /** Cuts a share to what was left of the whole limit in the store's last answer. */
  private void seed(Claim share) {
    lastRemaining.drain(
        share,
        remaining -> {
          long surplus = remaining(share) - remaining;
          if (surplus > 0) {
            Claim gone = new Claim(share.policy(), share.key(), surplus);
            CompletionFailures.join(local.decide(new Question(Operation.CHARGE, List.of(gone))));
          }
        });
  }

  private void note(Question question, List<Claim> shares, Verdicts verdicts) {
    for (int i = 0; i < shares.size(); i++) {
      Claim claim = question.claims().get(i);
      boolean fits = verdicts.allowed() && verdicts.each().get(i).fits();
      if (question.operation() == Operation.CHARGE) {
        ledger.charged(claim);
      } else if (question.operation() == Operation.ACQUIRE && fits) {
        ledger.acquired(claim, shares.get(i).policy().limit().capacity());
      } else {
        ledger.denied(claim);
      }
    }
  }

  /** The part of local use that still counts in the limit; the rest need not be charged. */
  Claim stillInUse(Claim claim) {
    Optional<Claim> share = LimitShare.of(claim, lastInstances);
    long remaining = share.map(this::remaining).orElse(0L);
    if (remaining == 0) {
      return claim;
    }
    long inUse = share.get().policy().limit().capacity() - remaining;
    return new Claim(claim.policy(), claim.key(), Math.min(claim.permits(), inUse));
  }

  private long remaining(Claim share) {
    Claim none = new Claim(share.policy(), share.key(), 0);
    Verdicts peeked =
        CompletionFailures.join(local.decide(new Question(Operation.PEEK, List.of(none))));
    return peeked.each().get(0).remaining();
  }

  private List<Verdict> denied(Question question) {
    question.claims().forEach(ledger::denied);
    Verdict denied = new Verdict(0, false, 0, 0, 0).from(Source.FALLBACK);
    return question.claims().stream().map(claim -> denied).toList();
  }

  void close() {
    local.close();
  }
}
