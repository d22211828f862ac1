package dev.weir.redis.internal.script;

import dev.weir.Claim;
import dev.weir.Receipt;
import dev.weir.Receipt.Grant;
import dev.weir.StoreUnavailableException;
import dev.weir.internal.CompletionFailures;
import dev.weir.spi.Verdict;
import dev.weir.spi.Verdicts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;

/**
 * A question whose keys live in several slots of a Cluster: all slots get their claims at the same
 * time, and if one denies, what the others took is given back.
 *
 * <p>Until then those permits are missing, so other requests may be denied too early, but never too
 * many are admitted. A slot that cannot be reached fails its own claims only.
 */
public final class MultiSlotRequest {
  private final Function<Receipt, CompletionStage<Verdicts>> refund;
  private final LongAdder lostGiveBacks = new LongAdder();

  public MultiSlotRequest(Function<Receipt, CompletionStage<Verdicts>> refund) {
    this.refund = refund;
  }

  /** Grants whose give-back failed: their permits come back with time alone. */
  public long lostGiveBacks() {
    return lostGiveBacks.sum();
  }

  /** Some claims of the question, by index, and the answer of their slot. */
  private record SlotPart(List<Integer> places, CompletableFuture<Verdicts> asked) {}

  public CompletionStage<Verdicts> ask(
      List<Claim> claims,
      List<List<Integer>> groups,
      boolean givesBack,
      Function<List<Claim>, CompletionStage<Verdicts>> ask) {
    List<SlotPart> parts = new ArrayList<>();
    for (List<Integer> places : groups) {
      List<Claim> own = places.stream().map(claims::get).toList();
      parts.add(new SlotPart(places, settled(ask.apply(own), own.size())));
    }
    return CompletableFuture.allOf(
            parts.stream().map(SlotPart::asked).toArray(CompletableFuture<?>[]::new))
        .thenCompose(all -> together(claims, parts, givesBack));
  }

  /** A slot that fails has failed verdicts for its claims. */
  private static CompletableFuture<Verdicts> settled(CompletionStage<Verdicts> asked, int claims) {
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
      List<Claim> claims, List<SlotPart> parts, boolean givesBack) {
    Verdict[] each = new Verdict[claims.size()];
    boolean allowed = true;
    for (SlotPart part : parts) {
      Verdicts answer = part.asked.join();
      allowed &= answer.allowed();
      for (int i = 0; i < part.places.size(); i++) {
        each[part.places.get(i)] = answer.each().get(i);
      }
    }
    List<Integer> granted = allowed || !givesBack ? List.of() : granted(parts);
    Verdicts together = new Verdicts(allowed, List.of(each));
    return granted.isEmpty()
        ? CompletableFuture.completedFuture(together)
        : giveBack(claims, each, granted);
  }

  /** The indexes of claims that took permits, in slots that allowed them. */
  private static List<Integer> granted(List<SlotPart> parts) {
    List<Integer> granted = new ArrayList<>();
    for (SlotPart part : parts) {
      Verdicts answer = part.asked.join();
      for (int i = 0; answer.allowed() && i < part.places.size(); i++) {
        if (answer.each().get(i).fits()) {
          granted.add(part.places.get(i));
        }
      }
    }
    return granted;
  }

  private CompletionStage<Verdicts> giveBack(
      List<Claim> claims, Verdict[] each, List<Integer> granted) {
    List<Grant> grants =
        granted.stream()
            .map(place -> new Grant(claims.get(place), OptionalLong.of(each[place].atMicros())))
            .toList();
    return refund
        .apply(new Receipt(grants))
        .handle(
            (given, failure) -> {
              if (failure != null) {
                lostGiveBacks.add(grants.size());
              } else {
                for (int i = 0; i < granted.size(); i++) {
                  each[granted.get(i)] = given.each().get(i);
                }
              }
              return new Verdicts(false, List.of(each));
            });
  }
}
