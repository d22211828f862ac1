package dev.weir.testkit;

import dev.weir.MemoryStore;
import dev.weir.Policy;
import dev.weir.spi.ForwardingLimitStore;
import dev.weir.spi.LimitStore;
import dev.weir.spi.SingleLimitFastPath;
import java.util.Optional;

/**
 * A store behind which tests put others, so that one running application serves many tests. At
 * first that is a {@link MemoryStore}. Safe for many threads.
 */
public final class SwitchableStore extends ForwardingLimitStore {
  private volatile LimitStore current = super.store();

  public SwitchableStore() {
    super(MemoryStore.create());
  }

  /** Sends calls to another store from now on; the one before it stays open. */
  public void use(LimitStore next) {
    current = next;
  }

  @Override
  protected LimitStore store() {
    return current;
  }

  /** None: a limiter keeps the one that it was given, whatever store comes next. */
  @Override
  public Optional<SingleLimitFastPath> fastPath(Policy policy) {
    return Optional.empty();
  }
}
