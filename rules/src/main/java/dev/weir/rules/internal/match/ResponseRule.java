package dev.weir.rules.internal.match;

import org.jspecify.annotations.Nullable;

/**
 * Which responses of the application a limit counts. Until the response is known, a request counts,
 * so that concurrent requests cannot pass the limit together. Immutable.
 *
 * @param count the statuses that count; null for all
 * @param giveBack the statuses that do not; null for none
 */
public record ResponseRule(@Nullable StatusSet count, @Nullable StatusSet giveBack) {
  /** Whether a request with this response does not count after all. */
  public boolean givesBack(int status) {
    return count != null && !count.contains(status)
        || giveBack != null && giveBack.contains(status);
  }

  /** For an explanation: {@code counts responses 401, 403}. */
  String text() {
    String counts = count == null ? "" : ", counts responses " + String.join(", ", count.texts());
    return giveBack == null
        ? counts
        : counts + ", gives back for responses " + String.join(", ", giveBack.texts());
  }
}
