package dev.weir.redis.internal.script;

import dev.weir.Claim;
import dev.weir.Receipt;
import dev.weir.Receipt.Grant;
import dev.weir.StoreUnavailableException;
import dev.weir.internal.CompletionFailures;
import dev.weir.spi.Question;
import dev.weir.spi.Verdict;
import dev.weir.spi.Verdicts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;

/**
 * Asks a question whose keys are in several hash slots of a Cluster. Each hash slot gets its claims
 * in a call of its own, all at the same time. If one denies, the permits taken in the others are
 * given back.
 *
 * <p>Until they are back, other requests may be denied too early, but too many are never allowed. A
 * hash slot that cannot be reached fails its own claims only.
 */
public final class MultiHashSlotRequest {
  private final Function<Receipt, CompletionStage<Verdicts>> refund;
  private final Function<Question, CompletionStage<Void>> forget;
  private final LongAdder lostGiveBacks = new LongAdder();

  /**
   * @param forget drops the answers that the hash slots remember for a question
   */
  public MultiHashSlotRequest(
      Function<Receipt, CompletionStage<Verdicts>> refund,
      Function<Question, CompletionStage<Void>> forget) {
    this.refund = refund;
    this.forget = forget;
  }

  /** How many grants could not be given back: their permits come back only as the limit refills. */
  public long lostGiveBacks() {
    return lostGiveBacks.sum();
  }

  /** The indexes of the claims in one hash slot, and its answer to them. */
  private record HashSlotPart(List<Integer> places, CompletableFuture<Verdicts> asked) {}

  /**
   * @param acquisition the question, if permits that it took must be given back when it is denied
   */
  public CompletionStage<Verdicts> ask(
      List<Claim> claims,
      List<List<Integer>> groups,
      Optional<Question> acquisition,
      Function<List<Claim>, CompletionStage<Verdicts>> ask) {
    List<HashSlotPart> parts = new ArrayList<>();
    for (List<Integer> places : groups) {
      List<Claim> own = places.stream().map(claims::get).toList();
      parts.add(new HashSlotPart(places, orFailedVerdicts(ask.apply(own), own.size())));
    }
    return CompletableFuture.allOf(
            parts.stream().map(HashSlotPart::asked).toArray(CompletableFuture<?>[]::new))
        .thenCompose(all -> together(claims, parts, acquisition));
  }

  /** Replaces the failure of a hash slot by failed verdicts for its claims. */
  private static CompletableFuture<Verdicts> orFailedVerdicts(
      CompletionStage<Verdicts> asked, int claims) {
    return asked
        .exceptionally(
            thrown -> {
              Throwable cause = CompletionFailures.unwrap(thrown);
              if (!(cause instanceof StoreUnavailableException failure)) {
                throw new CompletionException(cause);
              }
              Verdict[] failed = new Verdict[claims];
              Arrays.fill(failed, Verdict.failed(failure));
              return new Verdicts(true, List.of(failed));
            })
        .toCompletableFuture();
  }

  private CompletionStage<Verdicts> together(
      List<Claim> claims, List<HashSlotPart> parts, Optional<Question> acquisition) {
    Verdict[] each = new Verdict[claims.size()];
    boolean allowed = true;
    for (HashSlotPart part : parts) {
      Verdicts answer = part.asked.join();
      allowed &= answer.allowed();
      for (int i = 0; i < part.places.size(); i++) {
        each[part.places.get(i)] = answer.each().get(i);
      }
    }
    Verdicts together = new Verdicts(allowed, List.of(each), repeatOf(parts));
    List<Taken> taken =
        allowed || acquisition.isEmpty() ? List.of() : taken(acquisition.get(), claims, parts);
    return taken.isEmpty()
        ? CompletableFuture.completedFuture(together)
        : giveBack(acquisition.get(), each, taken);
  }

  /** The answer as a whole is repeated if every hash slot repeats the same one. */
  private static Optional<UUID> repeatOf(List<HashSlotPart> parts) {
    Optional<UUID> first = parts.get(0).asked.join().repeatOf();
    return parts.stream().allMatch(part -> part.asked.join().repeatOf().equals(first))
        ? first
        : Optional.empty();
  }

  /** The grant of one claim, in a hash slot that allowed it. */
  private record Taken(int place, Grant grant) {}

  private static List<Taken> taken(
      Question question, List<Claim> claims, List<HashSlotPart> parts) {
    List<Taken> taken = new ArrayList<>();
    for (HashSlotPart part : parts) {
      Verdicts answer = part.asked.join();
      Optional<UUID> holder = answer.repeatOf().or(question::holder);
      for (int i = 0; answer.allowed() && i < part.places.size(); i++) {
        Verdict verdict = answer.each().get(i);
        if (verdict.fits()) {
          int place = part.places.get(i);
          OptionalLong at = OptionalLong.of(verdict.atMicros());
          taken.add(new Taken(place, new Grant(claims.get(place), at, holder)));
        }
      }
    }
    return taken;
  }

  /** Forgets remembered answers first: they would allow a repeated request without its permits. */
  private CompletionStage<Verdicts> giveBack(
      Question question, Verdict[] each, List<Taken> granted) {
    List<Grant> grants = granted.stream().map(Taken::grant).toList();
    CompletionStage<Void> forgotten =
        question.requestId().isEmpty()
            ? CompletableFuture.completedFuture(null)
            : forget.apply(question);
    return forgotten
        .thenCompose(done -> refund.apply(new Receipt(grants)))
        .handle(
            (given, failure) -> {
              if (failure != null) {
                lostGiveBacks.add(grants.size());
              } else {
                for (int i = 0; i < granted.size(); i++) {
                  int place = granted.get(i).place;
                  each[place] = given.each().get(i).withFirstWarning(each[place].firstWarning());
                }
              }
              return new Verdicts(false, List.of(each));
            });
  }
}
