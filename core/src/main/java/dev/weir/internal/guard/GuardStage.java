package dev.weir.internal.guard;

import dev.weir.Policy;
import dev.weir.internal.CompletionFailures;
import dev.weir.spi.ForwardingLimitStore;
import dev.weir.spi.LimitStore;
import dev.weir.spi.SingleLimitFastPath;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One part of the pipeline: a store around the next part. */
abstract class GuardStage extends ForwardingLimitStore {
  GuardStage(LimitStore store) {
    super(store);
  }

  /** None: a fast path would lead around the guard. */
  @Override
  public final Optional<SingleLimitFastPath> direct(Policy policy) {
    return Optional.empty();
  }

  /** The failure itself, which stages wrap when they depend on one another. */
  static @Nullable Throwable unwrapped(@Nullable Throwable thrown) {
    return CompletionFailures.unwrap(thrown);
  }
}
