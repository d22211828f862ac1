package dev.weir.internal;

import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** Failures of stages without the exceptions that stages and futures put around them. */
public final class CompletionFailures {
  private CompletionFailures() {}

  /** The failure itself; null if there is none. */
  public static @Nullable Throwable unwrap(@Nullable Throwable thrown) {
    boolean wrapped = thrown instanceof CompletionException || thrown instanceof ExecutionException;
    return wrapped && thrown.getCause() != null ? thrown.getCause() : thrown;
  }

  /** Waits for a stage; a failure that is unchecked is thrown as it is. */
  public static <T> T join(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().join();
    } catch (CompletionException failed) {
      throw unwrap(failed) instanceof RuntimeException cause ? cause : failed;
    }
  }
}
