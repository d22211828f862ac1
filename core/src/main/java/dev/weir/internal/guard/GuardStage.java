package dev.weir.internal.guard;

import dev.weir.Policy;
import dev.weir.spi.ForwardingLimitStore;
import dev.weir.spi.LimitStore;
import dev.weir.spi.SingleLimitFastPath;
import java.util.Optional;

/** One part of the pipeline: a store around the next part. */
abstract class GuardStage extends ForwardingLimitStore {
  GuardStage(LimitStore store) {
    super(store);
  }

  /** None: a fast path would bypass the guard. */
  @Override
  public final Optional<SingleLimitFastPath> fastPath(Policy policy) {
    return Optional.empty();
  }
}
