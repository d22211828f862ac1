package dev.weir.redis.internal.script;

import dev.weir.spi.Verdicts;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The answer that one caller waits for. If it is cancelled in time, the caller is not sent. */
final class WaitingCaller extends CompletableFuture<Verdicts> {
  final long sinceNanos;

  /** The next caller of the same {@link EqualQuestions}. */
  @Nullable WaitingCaller next;

  WaitingCaller(long sinceNanos) {
    this.sinceNanos = sinceNanos;
  }
}
