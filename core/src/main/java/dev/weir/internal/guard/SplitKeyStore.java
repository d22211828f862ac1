package dev.weir.internal.guard;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Policy;
import dev.weir.Receipt;
import dev.weir.Receipt.Grant;
import dev.weir.spi.ForwardingLimitStore;
import dev.weir.spi.LimitStore;
import dev.weir.spi.Operation;
import dev.weir.spi.Question;
import dev.weir.spi.SingleLimitFastPath;
import dev.weir.spi.Verdicts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;

/**
 * Divides the keys of policies with {@code split} over parts that the store counts as keys of their
 * own. Acquiring asks one part; peeking and resetting reach all of them; a charge and a refund
 * without a receipt are spread evenly. Questions without a split key pass unchanged.
 */
public final class SplitKeyStore extends ForwardingLimitStore {
  private SplitKeyStore(LimitStore store) {
    super(store);
  }

  public static LimitStore around(LimitStore store) {
    return new SplitKeyStore(store);
  }

  @Override
  public CompletionStage<Verdicts> decide(Question question) {
    if (!SplitClaims.areAny(question.claims())) {
      return store().decide(question);
    }
    return switch (question.operation()) {
      case ACQUIRE -> {
        SplitClaims claims = SplitClaims.chosen(question.claims(), question.holder());
        yield store().decide(acquisition(question, claims)).thenApply(claims::ofChosen);
      }
      case PEEK -> {
        SplitClaims claims = SplitClaims.all(question.claims());
        yield store().decide(new Question(Operation.PEEK, claims.parts())).thenApply(claims::ofAny);
      }
      case CHARGE -> {
        SplitClaims claims = SplitClaims.spread(question.claims());
        yield store()
            .decide(new Question(Operation.CHARGE, claims.parts()))
            .thenApply(claims::ofChosen);
      }
    };
  }

  /** Drops a holder that the store does not need, so that equal questions can be merged. */
  private static Question acquisition(Question question, SplitClaims claims) {
    boolean needsHolder =
        question.requestId().isPresent()
            || claims.parts().stream()
                .anyMatch(claim -> claim.policy().limit().algorithm() == Algorithm.IN_FLIGHT);
    return needsHolder
        ? question.about(claims.parts())
        : new Question(question.operation(), claims.parts());
  }

  @Override
  public CompletionStage<Verdicts> refund(Receipt receipt) {
    if (!SplitClaims.areAny(receipt.claims())) {
      return store().refund(receipt);
    }
    List<Optional<UUID>> holders = receipt.grants().stream().map(SplitKeyStore::datedBy).toList();
    SplitClaims claims = SplitClaims.granted(receipt.claims(), holders);
    return store().refund(receipt(receipt, claims)).thenApply(claims::ofChosen);
  }

  /** The holder of a dated grant; undated permits can be given back to any part. */
  private static Optional<UUID> datedBy(Grant grant) {
    return grant.atMicros().isPresent() ? grant.holder() : Optional.empty();
  }

  @Override
  public CompletionStage<Verdicts> settle(Receipt receipt, List<Long> costs) {
    if (!SplitClaims.areAny(receipt.claims())) {
      return store().settle(receipt, costs);
    }
    SplitClaims claims = SplitClaims.chosen(receipt.claims(), receipt.grants().get(0).holder());
    return store().settle(receipt(receipt, claims), costs).thenApply(claims::ofChosen);
  }

  private static Receipt receipt(Receipt whole, SplitClaims claims) {
    List<Grant> grants = new ArrayList<>(claims.parts().size());
    for (int i = 0; i < claims.parts().size(); i++) {
      Grant grant = whole.grants().get(claims.wholeOf(i));
      grants.add(new Grant(claims.parts().get(i), grant.atMicros(), grant.holder()));
    }
    return new Receipt(grants);
  }

  @Override
  public CompletionStage<Void> forget(Question question) {
    return store()
        .forget(question.about(SplitClaims.chosen(question.claims(), question.holder()).parts()));
  }

  @Override
  public CompletionStage<Void> reset(List<Claim> claims) {
    return store().reset(SplitClaims.areAny(claims) ? SplitClaims.all(claims).parts() : claims);
  }

  @Override
  public Optional<SingleLimitFastPath> fastPath(Policy policy) {
    return policy.split() > 1 ? Optional.empty() : store().fastPath(policy);
  }
}
