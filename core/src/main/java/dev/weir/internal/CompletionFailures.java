package dev.weir.internal;

import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Unwraps the CompletionException that a dependent stage puts around a failure. */
public final class CompletionFailures {
  private CompletionFailures() {}

  /** The failure itself; null if there is none. */
  public static @Nullable Throwable unwrap(@Nullable Throwable thrown) {
    return thrown instanceof CompletionException && thrown.getCause() != null
        ? thrown.getCause()
        : thrown;
  }
}
