package dev.weir.http;

import dev.weir.Algorithm;
import dev.weir.Decision;
import dev.weir.Outcome;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;

/** How long a client must wait, as far as anybody knows. */
final class KnownWait {
  private KnownWait() {}

  /** Empty if the request can never pass, or waits only for other requests to end. */
  static Optional<Duration> of(Decision denied) {
    if (denied.endsWithRelease() || denied.retryAfter().equals(Decision.NEVER)) {
      return Optional.empty();
    }
    if (denied.deniedBy().filter(KnownWait::isOfSlots).isEmpty()) {
      return Optional.of(denied.retryAfter());
    }
    return denied.denying().stream()
        .filter(outcome -> !isOfSlots(outcome))
        .map(Outcome::retryAfter)
        .max(Comparator.naturalOrder());
  }

  /** Whether it is a limit on requests in flight, whose end nobody can predict. */
  static boolean isOfSlots(Outcome outcome) {
    return outcome.policy().limit().algorithm() == Algorithm.IN_FLIGHT;
  }
}
