package dev.weir.redis.internal.script;

import dev.weir.spi.Verdicts;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The answer that one caller waits for; a caller that cancels it before it is sent is left out. */
final class WaitingCaller extends CompletableFuture<Verdicts> {
  final long sinceNanos;

  /** The next caller of the same {@link EqualQuestions}. */
  @Nullable WaitingCaller next;

  WaitingCaller(long sinceNanos) {
    this.sinceNanos = sinceNanos;
  }
}
