package dev.weir.spring.gateway;

import dev.weir.Policy;
import dev.weir.StoreUnavailableException;
import dev.weir.spi.ForwardingLimitStore;
import dev.weir.spi.LimitStore;
import dev.weir.spi.Question;
import dev.weir.spi.SingleLimitFastPath;
import dev.weir.spi.Verdicts;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A store that fails for one key. */
final class BrokenKeys extends ForwardingLimitStore {
  static final String KEY = "broken";

  BrokenKeys(LimitStore store) {
    super(store);
  }

  @Override
  public CompletionStage<Verdicts> decide(Question question) {
    return question.claims().stream().anyMatch(claim -> claim.key().equals(KEY))
        ? CompletableFuture.failedFuture(new StoreUnavailableException("as the test asks"))
        : super.decide(question);
  }

  @Override
  public Optional<SingleLimitFastPath> fastPath(Policy policy) {
    return Optional.empty();
  }
}
