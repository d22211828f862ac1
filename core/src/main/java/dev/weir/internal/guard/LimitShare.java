package dev.weir.internal.guard;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.Policy;
import dev.weir.Window;
import dev.weir.internal.Check;
import java.time.Duration;
import java.util.Optional;

/** The share of a limit that one of several instances may hand out on its own. */
final class LimitShare {
  private LimitShare() {}

  /** The same claim on this instance's share; empty if nothing of the limit is left for it. */
  static Optional<Claim> of(Claim claim, int instances) {
    Policy policy = claim.policy();
    return of(policy.limit(), instances)
        .map(
            limit ->
                new Policy(
                    policy.rule(), policy.name(), limit, policy.mode(), policy.onStoreFailure()))
        .map(share -> new Claim(share, claim.key(), claim.permits()));
  }

  /** A limit divided by the instances, rounded down; empty if nothing is left of it. */
  static Optional<Limit> of(Limit limit, int instances) {
    long capacity = limit.capacity() / instances;
    if (capacity == 0) {
      return Optional.empty();
    }
    return switch (limit.algorithm()) {
      case TOKEN_BUCKET -> ofBucket((Limit.TokenBucket) limit, capacity, instances);
      case FIXED_WINDOW -> {
        Window window = ((Limit.FixedWindow) limit).window();
        yield Optional.of(new Limit.FixedWindow(capacity, window));
      }
      case SLIDING_WINDOW -> Optional.of(Limit.slidingWindow(capacity, limit.period()));
      case SLIDING_LOG -> Optional.of(Limit.slidingLog(capacity, limit.period()));
      case IN_FLIGHT -> Optional.of(Limit.inFlight(capacity, limit.period()));
    };
  }

  /** Multiplies the period, which divides the rate exactly; divides the permits if it cannot. */
  private static Optional<Limit> ofBucket(Limit.TokenBucket bucket, long capacity, int instances) {
    Duration longer = bucket.period().multipliedBy(instances);
    if (longer.compareTo(Check.MAX_PERIOD) <= 0) {
      return Optional.of(new Limit.TokenBucket(capacity, bucket.permits(), longer));
    }
    long permits = bucket.permits() / instances;
    return permits == 0
        ? Optional.empty()
        : Optional.of(new Limit.TokenBucket(capacity, permits, bucket.period()));
  }
}
