package example.core;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.RateLimiter;
import java.time.Duration;

/** Limits inside one process. */
final class CoreConsumer {
  private CoreConsumer() {}

  public static void main(String[] arguments) {
    try (RateLimiter limiter = RateLimiter.of(Limit.tokenBucket(1, Duration.ofDays(1)))) {
      Decision first = limiter.decide("user-42");
      Decision second = limiter.decide("user-42");
      System.out.println(first.allowed() + " " + second.allowed());
    }
  }
}
