package dev.weir.spring.internal.web;

import dev.weir.StoreUnavailableException;
import dev.weir.http.HttpAnswer;
import dev.weir.spring.RateLimitedException;
import org.jspecify.annotations.Nullable;

/** The answer to a request whose handling threw an exception of a limit. */
public final class DenialAnswer {
  private DenialAnswer() {}

  /** Null for other exceptions. */
  public static @Nullable HttpAnswer of(Throwable thrown) {
    if (thrown instanceof RateLimitedException denial) {
      return denial.answer();
    }
    return thrown instanceof StoreUnavailableException ? HttpAnswer.storeUnavailable() : null;
  }
}
