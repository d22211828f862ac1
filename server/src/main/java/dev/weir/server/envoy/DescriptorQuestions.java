package dev.weir.server.envoy;

import dev.weir.AsyncRateLimiter;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Mode;
import dev.weir.Outcome;
import dev.weir.Receipt;
import dev.weir.server.envoy.LimitedDescriptor.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Asks the limiter about the descriptors of one call, in their order: one question for each
 * sequence of descriptors of the same kind; nearly every call has only one kind. Descriptors that
 * are taken together are asked last, because they are not taken if another one denies. Not safe for
 * many threads; used once.
 */
final class DescriptorQuestions {
  private static final CompletionStage<Void> DONE = CompletableFuture.completedFuture(null);

  private final AsyncRateLimiter limiter;
  private final List<LimitedDescriptor> lines;
  private final boolean shadow;
  private final List<Outcome> outcomes = new ArrayList<>();

  /**
   * @param shadow whether no descriptor can deny, so that each takes as if it were alone
   */
  DescriptorQuestions(AsyncRateLimiter limiter, List<LimitedDescriptor> lines, boolean shadow) {
    this.limiter = limiter;
    this.lines = lines;
    this.shadow = shadow;
  }

  /** Completes with all outcomes, after every line has its answers. */
  CompletionStage<List<Outcome>> ask() {
    if (lines.size() == 1 && isOneClaim(lines.get(0)) && !shadow) {
      return takeOne(lines.get(0));
    }
    CompletionStage<Void> before = DONE;
    for (List<LimitedDescriptor> run : runs()) {
      before = before.thenCompose(done -> ask(run));
    }
    CompletionStage<Void> taken = before == DONE ? take() : before.thenCompose(done -> take());
    return taken.thenApply(done -> outcomes);
  }

  private static boolean isOneClaim(LimitedDescriptor line) {
    return line.kind == Kind.TAKE && line.claims.size() == 1;
  }

  /** The usual call: there is nothing to merge and nothing to ask first. */
  private CompletionStage<List<Outcome>> takeOne(LimitedDescriptor line) {
    return limiter
        .decide(line.claims)
        .thenApply(
            decision -> {
              Outcome outcome = decision.outcomes().get(0);
              line.add(RateOutcome.ofTaking(line.rate(0), outcome, line.hits));
              return decision.outcomes();
            });
  }

  /** Successive lines of one kind, without those that are taken together. */
  private List<List<LimitedDescriptor>> runs() {
    List<List<LimitedDescriptor>> runs = List.of();
    Kind last = Kind.TAKE;
    for (LimitedDescriptor line : lines) {
      if (line.kind != Kind.TAKE) {
        runs = runs.isEmpty() ? new ArrayList<>(1) : runs;
        if (line.kind != last) {
          runs.add(new ArrayList<>(lines.size()));
          last = line.kind;
        }
        runs.get(runs.size() - 1).add(line);
      }
    }
    return runs;
  }

  private CompletionStage<Void> ask(List<LimitedDescriptor> some) {
    return switch (some.get(0).kind) {
      case CHARGE -> inRounds(some, limiter::charge);
      case ASK -> inRounds(some, limiter::peek);
      case GIVE_BACK -> giveBack(some);
      case TAKE -> throw new IllegalArgumentException("taken together");
    };
  }

  /** Refunds, then peeks: a line is over its limit only while it is still in debt. */
  private CompletionStage<Void> giveBack(List<LimitedDescriptor> given) {
    List<Claim> claims =
        given.stream()
            .flatMap(line -> line.claims.stream())
            .filter(claim -> !claim.isBlocked() && claim.permits() > 0)
            .toList();
    CompletionStage<Void> refunded =
        claims.isEmpty() ? DONE : limiter.refund(Receipt.undated(claims));
    return refunded.thenCompose(
        done -> inRounds(given, asked -> limiter.peek(withoutPermits(asked))));
  }

  private static List<Claim> withoutPermits(List<Claim> claims) {
    return claims.stream().map(claim -> new Claim(claim.policy(), claim.key(), 0)).toList();
  }

  /**
   * Asks about each line by itself: those on different states at once, those on one state in
   * successive rounds, so that each sees what the one before it left.
   */
  private CompletionStage<Void> inRounds(
      List<LimitedDescriptor> some, Function<List<Claim>, CompletionStage<Decision>> question) {
    List<ClaimRound> rounds = ClaimRound.of(some);
    CompletionStage<Void> before = DONE;
    for (ClaimRound round : rounds) {
      before =
          before
              .thenCompose(done -> question.apply(round.claims()))
              .thenAccept(
                  decision -> {
                    round.answer(decision);
                    outcomes.addAll(decision.outcomes());
                  });
    }
    return before;
  }

  private CompletionStage<Void> take() {
    boolean satisfied = quotaIsSatisfied();
    boolean denied = !shadow && deniesAlready();
    MergedClaims merged = new MergedClaims();
    for (LimitedDescriptor line : lines) {
      if (line.kind == Kind.TAKE) {
        merged.add(line, shadow || satisfied && line.quota);
      }
    }
    if (merged.isEmpty()) {
      return DONE;
    }
    return merged.mayFitInPart()
        ? limiter
            .peek(merged.claims())
            .thenCompose(
                peeked -> {
                  merged.shorten(peeked);
                  return take(merged, denied);
                })
        : take(merged, denied);
  }

  private CompletionStage<Void> take(MergedClaims merged, boolean denied) {
    CompletionStage<Decision> decided =
        denied ? limiter.peek(merged.claims()) : limiter.decide(merged.claims());
    return decided.thenAccept(
        decision -> {
          merged.answer(decision, decision.allowed() && !denied);
          outcomes.addAll(decision.outcomes());
        });
  }

  /** Whether a quota that was charged or asked about fits already. */
  private boolean quotaIsSatisfied() {
    for (LimitedDescriptor line : lines) {
      if (line.quota && (line.shadow() || line.kind != Kind.TAKE && line.fits())) {
        return true;
      }
    }
    return false;
  }

  private boolean deniesAlready() {
    for (LimitedDescriptor line : lines) {
      if (line.kind != Kind.TAKE && line.denies()) {
        return true;
      }
    }
    return false;
  }

  /** Whether the request is denied: by any line, or by all quotas together. */
  static boolean deny(List<LimitedDescriptor> lines) {
    boolean quotas = false;
    boolean satisfied = false;
    for (LimitedDescriptor line : lines) {
      if (line.denies()) {
        return true;
      }
      quotas |= line.quota;
      satisfied |= line.quota && (line.shadow() || line.fits());
    }
    return quotas && !satisfied;
  }

  /** The same claim in shadow mode: counted, but it cannot deny. */
  static Claim optional(Claim claim) {
    return claim.isBlocked()
        ? Claim.blocked(claim.policy().withMode(Mode.SHADOW), claim.key())
        : new Claim(claim.policy().withMode(Mode.SHADOW), claim.key(), claim.permits());
  }
}
