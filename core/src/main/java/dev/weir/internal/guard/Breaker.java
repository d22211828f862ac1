package dev.weir.internal.guard;

import dev.weir.Claim;
import dev.weir.GuardListener;
import dev.weir.StoreUnavailableException;
import dev.weir.spi.LimitStore;
import dev.weir.spi.Operation;
import dev.weir.spi.Question;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Remembers whether one node of a store is silent. Safe for many threads.
 *
 * <p>After some failures in a row it opens: the node is not asked any more, and nobody waits. In
 * the background it looks at one of the keys that failed, without taking anything, until the node
 * answers. Only silence counts: a node that answers with an error is there.
 */
final class Breaker {
  private static final System.Logger LOG = System.getLogger(Breaker.class.getName());
  private static final Duration SHORTEST_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  private final String node;
  private final LimitStore store;
  private final int failuresToOpen;
  private final GuardListener listener;
  private final AtomicInteger failuresInRow = new AtomicInteger();

  private volatile @Nullable StoreUnavailableException openedBy;
  private volatile boolean closed;

  Breaker(String node, LimitStore store, int failuresToOpen, GuardListener listener) {
    this.node = node;
    this.store = store;
    this.failuresToOpen = failuresToOpen;
    this.listener = listener;
  }

  /** Why the node is not asked; null if it may be. */
  @Nullable StoreUnavailableException openedBy() {
    return openedBy;
  }

  void answered() {
    if (failuresInRow.get() != 0) {
      failuresInRow.set(0);
    }
  }

  void failed(StoreUnavailableException failure, Claim claim) {
    if (failure.isRefusal()) {
      answered();
    } else if (failuresInRow.incrementAndGet() == failuresToOpen) {
      open(failure, claim);
    }
  }

  void stop() {
    closed = true;
  }

  private void open(StoreUnavailableException failure, Claim claim) {
    openedBy =
        new StoreUnavailableException("not asked, since it is silent: " + failure.getMessage());
    LOG.log(Level.WARNING, "{0} is silent and not asked any more: {1}", node, failure.getMessage());
    listener.breakerOpened(node, failure);
    probeLater(claim, SHORTEST_PAUSE);
  }

  /** Full jitter: instances that lost a server together do not come back to it together. */
  private void probeLater(Claim claim, Duration pause) {
    long nanos = ThreadLocalRandom.current().nextLong(pause.toNanos()) + 1;
    Timer.after(Duration.ofNanos(nanos), () -> probe(claim, pause));
  }

  private void probe(Claim claim, Duration pause) {
    if (closed) {
      return;
    }
    store
        .decide(new Question(Operation.PEEK, List.of(claim)))
        .whenComplete(
            (verdicts, thrown) -> {
              if (thrown == null && verdicts.each().get(0).failure() == null || isRefusal(thrown)) {
                close();
              } else {
                Duration longer = pause.multipliedBy(2);
                probeLater(claim, longer.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : longer);
              }
            });
  }

  private static boolean isRefusal(@Nullable Throwable thrown) {
    Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : thrown;
    return cause instanceof StoreUnavailableException failure && failure.isRefusal();
  }

  private void close() {
    openedBy = null;
    failuresInRow.set(0);
    LOG.log(Level.INFO, "{0} answers again", node);
    listener.breakerClosed(node);
  }
}
