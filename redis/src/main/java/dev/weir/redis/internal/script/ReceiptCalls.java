package dev.weir.redis.internal.script;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Receipt;
import dev.weir.Receipt.Grant;
import dev.weir.internal.Grants;
import dev.weir.internal.Grants.Origin;
import dev.weir.internal.Settlements;
import dev.weir.redis.internal.protocol.OperationCode;
import dev.weir.redis.internal.protocol.QuestionHead;
import dev.weir.spi.Verdicts;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Refunds, settles and renews the grants of receipts: one call per decision and hash slot of a
 * Cluster. Safe for many threads.
 */
public final class ReceiptCalls {
  /** Grants renewed in one call: a script must not block the server for long. */
  private static final int MAX_RENEWED_AT_ONCE = 500;

  private final ScriptExecutor executor;
  private final HashSlotGroups hashSlots;
  private final MultiHashSlotRequest multiHashSlot;

  public ReceiptCalls(
      ScriptExecutor executor, HashSlotGroups hashSlots, MultiHashSlotRequest multiHashSlot) {
    this.executor = executor;
    this.hashSlots = hashSlots;
    this.multiHashSlot = multiHashSlot;
  }

  /** One decision's part of a receipt. */
  private interface DecisionCall {
    CompletionStage<Verdicts> call(List<Claim> claims, List<Integer> places, Origin origin);
  }

  public CompletionStage<Verdicts> refund(Receipt receipt) {
    return eachDecision(receipt.grants(), (claims, places, origin) -> refund(claims, origin));
  }

  private CompletionStage<Verdicts> refund(List<Claim> claims, Origin origin) {
    OperationCode operation =
        origin.atMicros().isPresent() ? OperationCode.REFUND : OperationCode.REFUND_UNDATED;
    QuestionHead head = QuestionHead.ofRefund(origin.atMicros(), origin.holder());
    List<List<Integer>> groups = hashSlots.of(claims);
    return groups.size() == 1
        ? executor.ask(operation, claims, head)
        : multiHashSlot.ask(
            claims, groups, Optional.empty(), own -> executor.ask(operation, own, head));
  }

  public CompletionStage<Verdicts> settle(Receipt receipt, List<Long> costs) {
    List<Grant> grants = receipt.grants();
    if (grants.stream().anyMatch(grant -> grant.holder().isEmpty())) {
      throw Settlements.withoutHolder();
    }
    return eachDecision(
        grants,
        (claims, places, origin) -> {
          List<Long> own = places.stream().map(costs::get).toList();
          List<List<Integer>> groups = hashSlots.of(claims);
          Iterator<List<Integer>> group = groups.iterator();
          return groups.size() == 1
              ? settle(claims, own, origin)
              : multiHashSlot.ask(
                  claims,
                  groups,
                  Optional.empty(),
                  some -> settle(some, group.next().stream().map(own::get).toList(), origin));
        });
  }

  /** Settles the claims of one hash slot: sends the difference between cost and grant of each. */
  private CompletionStage<Verdicts> settle(List<Claim> claims, List<Long> costs, Origin origin) {
    List<Claim> differences = new ArrayList<>(claims.size());
    BitSet charged = new BitSet();
    for (int i = 0; i < claims.size(); i++) {
      Claim claim = claims.get(i);
      long more = costs.get(i) - claim.permits();
      boolean ofSlots = claim.policy().limit().algorithm() == Algorithm.IN_FLIGHT;
      long difference = ofSlots && costs.get(i) > 0 ? 0 : Math.abs(more);
      differences.add(new Claim(claim.policy(), claim.key(), difference));
      charged.set(i, more > 0 && difference > 0);
    }
    UUID holder = origin.holder().orElseThrow(Settlements::withoutHolder);
    QuestionHead head = QuestionHead.ofSettlement(origin.atMicros(), holder, claims, charged);
    return executor.ask(OperationCode.REFUND, differences, head);
  }

  /** Renews slots; completes with whether its holder still had its slots, per grant. */
  public CompletionStage<List<Boolean>> renew(Receipt receipt) {
    List<Grant> grants = receipt.grants();
    Boolean[] renewed = new Boolean[grants.size()];
    List<CompletableFuture<?>> calls = new ArrayList<>();
    for (List<Integer> group : hashSlots.each(receipt.claims())) {
      for (int from = 0; from < group.size(); from += MAX_RENEWED_AT_ONCE) {
        List<Integer> places =
            group.subList(from, Math.min(group.size(), from + MAX_RENEWED_AT_ONCE));
        CompletionStage<?> call =
            executor
                .renew(places.stream().map(grants::get).toList())
                .thenAccept(
                    held -> {
                      for (int i = 0; i < places.size(); i++) {
                        renewed[places.get(i)] = held.get(i) == 1;
                      }
                    });
        calls.add(call.toCompletableFuture());
      }
    }
    return CompletableFuture.allOf(calls.toArray(CompletableFuture<?>[]::new))
        .thenApply(done -> List.of(renewed));
  }

  /** Calls decisions one after the other if any of them share a state, else at the same time. */
  private CompletionStage<Verdicts> eachDecision(List<Grant> grants, DecisionCall call) {
    Map<Origin, List<Integer>> decisions = Grants.placesByOrigin(grants);
    List<Claim> claims = grants.stream().map(Grant::claim).toList();
    List<List<Integer>> groups = List.copyOf(decisions.values());
    Iterator<Map.Entry<Origin, List<Integer>>> next = decisions.entrySet().iterator();
    if (groups.size() == 1) {
      return call.call(claims, groups.get(0), next.next().getKey());
    }
    Sequence inTurn = new Sequence();
    boolean sameState = Grants.repeatState(grants);
    return multiHashSlot.ask(
        claims,
        groups,
        Optional.empty(),
        own -> {
          Map.Entry<Origin, List<Integer>> decision = next.next();
          Supplier<CompletionStage<Verdicts>> step =
              () -> call.call(own, decision.getValue(), decision.getKey());
          return sameState ? inTurn.then(step) : step.get();
        });
  }

  /** Starts each step when the one before has ended, however it ended. */
  private static final class Sequence {
    private CompletionStage<?> last = CompletableFuture.completedFuture(null);

    <T> CompletionStage<T> then(Supplier<CompletionStage<T>> step) {
      CompletionStage<T> next =
          last.handle((result, failure) -> null).thenCompose(ended -> step.get());
      last = next;
      return next;
    }
  }
}
