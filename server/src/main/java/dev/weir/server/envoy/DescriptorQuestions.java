package dev.weir.server.envoy;

import dev.weir.AsyncRateLimiter;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Mode;
import dev.weir.Outcome;
import dev.weir.Receipt;
import dev.weir.server.envoy.DescriptorLine.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Asks the limiter about the descriptors of one call: one question for each kind that the call has,
 * and nearly every call has one kind only. What is taken together is asked last, because it is not
 * taken if the others refuse. Not safe for many threads; used once.
 */
final class DescriptorQuestions {
  private static final CompletionStage<Void> DONE = CompletableFuture.completedFuture(null);

  private final AsyncRateLimiter limiter;
  private final List<DescriptorLine> lines;
  private final List<Outcome> outcomes = new ArrayList<>();

  DescriptorQuestions(AsyncRateLimiter limiter, List<DescriptorLine> lines) {
    this.limiter = limiter;
    this.lines = lines;
  }

  /** All outcomes; the lines have their answers then. */
  CompletionStage<List<Outcome>> ask() {
    CompletionStage<Void> before = DONE;
    for (Kind kind : List.of(Kind.GIVE_BACK, Kind.CHARGE, Kind.ASK)) {
      List<DescriptorLine> some = of(kind);
      if (!some.isEmpty()) {
        before = before.thenCompose(done -> ask(kind, some));
      }
    }
    CompletionStage<Void> taken = before == DONE ? take() : before.thenCompose(done -> take());
    return taken.thenApply(done -> outcomes);
  }

  private List<DescriptorLine> of(Kind kind) {
    List<DescriptorLine> some = List.of();
    for (DescriptorLine line : lines) {
      if (line.kind == kind) {
        some = some.isEmpty() ? new ArrayList<>(lines.size()) : some;
        some.add(line);
      }
    }
    return some;
  }

  private CompletionStage<Void> ask(Kind kind, List<DescriptorLine> some) {
    return switch (kind) {
      case CHARGE -> inRounds(some, limiter::charge);
      case ASK -> inRounds(some, limiter::peek);
      case GIVE_BACK -> giveBack(some);
      case TAKE -> throw new IllegalArgumentException("taken together");
    };
  }

  /** The state after it is read apart; it is over its limit only if it is still in debt. */
  private CompletionStage<Void> giveBack(List<DescriptorLine> given) {
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
      List<DescriptorLine> some, Function<List<Claim>, CompletionStage<Decision>> question) {
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
    boolean refused = refusesAlready();
    MergedClaims merged = new MergedClaims();
    for (DescriptorLine line : lines) {
      if (line.kind == Kind.TAKE) {
        merged.add(line, satisfied && line.quota);
      }
    }
    if (merged.isEmpty()) {
      return DONE;
    }
    CompletionStage<Decision> decided =
        refused ? limiter.peek(merged.claims()) : limiter.decide(merged.claims());
    return decided.thenAccept(
        decision -> {
          merged.answer(decision, decision.allowed() && !refused);
          outcomes.addAll(decision.outcomes());
        });
  }

  /** Whether a quota that is not taken together with others fits, so that one of them does. */
  private boolean quotaIsSatisfied() {
    for (DescriptorLine line : lines) {
      if (line.quota && (line.shadow() || line.kind != Kind.TAKE && line.fits())) {
        return true;
      }
    }
    return false;
  }

  private boolean refusesAlready() {
    for (DescriptorLine line : lines) {
      if (line.kind != Kind.TAKE && line.refuses()) {
        return true;
      }
    }
    return false;
  }

  /** Whether the request is refused: by any line, or by all quotas together. */
  static boolean refuse(List<DescriptorLine> lines) {
    boolean quotas = false;
    boolean satisfied = false;
    for (DescriptorLine line : lines) {
      if (line.refuses()) {
        return true;
      }
      quotas |= line.quota;
      satisfied |= line.quota && (line.shadow() || line.fits());
    }
    return quotas && !satisfied;
  }

  /** A quota that need not fit any more. */
  static Claim optional(Claim claim) {
    return claim.isBlocked()
        ? Claim.blocked(claim.policy().withMode(Mode.SHADOW), claim.key())
        : new Claim(claim.policy().withMode(Mode.SHADOW), claim.key(), claim.permits());
  }
}
