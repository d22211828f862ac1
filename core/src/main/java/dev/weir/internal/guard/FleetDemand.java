package dev.weir.internal.guard;

import dev.weir.Claim;
import dev.weir.FailurePolicy;
import dev.weir.Limit;
import dev.weir.Mode;
import dev.weir.Policy;
import dev.weir.spi.Operation;
import dev.weir.spi.Question;
import dev.weir.spi.Verdict;
import java.time.Duration;
import java.util.List;

/**
 * The number of requests that all instances get for one key, counted by a shadow policy in the
 * store beside the limit. Immutable.
 */
final class FleetDemand {
  private static final long MAX_REQUESTS = 1L << 50;

  private final Policy count;
  private final String key;
  private final double periodSeconds;

  /**
   * @param limited the claim whose requests are counted
   * @param periodNanos the time to count over
   */
  FleetDemand(Claim limited, long periodNanos) {
    Policy policy = limited.policy();
    Limit window = Limit.slidingWindow(MAX_REQUESTS, Duration.ofNanos(periodNanos));
    count =
        new Policy(
            policy.rule(), policy.name() + "~demand", window, Mode.SHADOW, FailurePolicy.ALLOW);
    key = limited.key();
    periodSeconds = periodNanos / 1e9;
  }

  /** The question that adds requests of this instance to the count. */
  Question report(long requests) {
    return new Question(Operation.CHARGE, List.of(new Claim(count, key, requests)));
  }

  /** Requests per second on all instances, from the answer to a report. */
  double perSecond(Verdict reported) {
    return (MAX_REQUESTS - reported.remaining()) / periodSeconds;
  }
}
