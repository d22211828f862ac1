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
 * A count of the requests that all instances get, which is kept in the store beside the limit and
 * denies nothing. Immutable.
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

  /** Tells the others of requests here. */
  Question report(long requests) {
    return new Question(Operation.CHARGE, List.of(new Claim(count, key, requests)));
  }

  /** Requests per second on all instances, as the answer to a report says. */
  double perSecond(Verdict reported) {
    return (MAX_REQUESTS - reported.remaining()) / periodSeconds;
  }
}
