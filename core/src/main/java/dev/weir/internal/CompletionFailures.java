package dev.weir.internal;

import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** Removes the exceptions that stages and futures wrap around failures. */
public final class CompletionFailures {
  private CompletionFailures() {}

  /** The failure itself; null if there is none. */
  public static @Nullable Throwable unwrap(@Nullable Throwable thrown) {
    boolean wrapped = thrown instanceof CompletionException || thrown instanceof ExecutionException;
    return wrapped && thrown.getCause() != null ? thrown.getCause() : thrown;
  }

  /** Waits for a stage; an unchecked failure is thrown as it is. */
  public static <T> T join(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().join();
    } catch (CompletionException failed) {
      throw unwrap(failed) instanceof RuntimeException cause ? cause : failed;
    }
  }
}
