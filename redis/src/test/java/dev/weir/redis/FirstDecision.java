package dev.weir.redis;

import dev.weir.Decision;
import dev.weir.FailurePolicy;
import dev.weir.GuardedStore;
import dev.weir.Limit;
import dev.weir.RateLimiter;
import java.io.IOException;
import java.time.Duration;

/**
 * A process of its own that makes one guarded decision, the first of its JVM, and prints who
 * answered it; and when it is told to go on, another.
 *
 * <p>Arguments: address, deadline in milliseconds.
 */
final class FirstDecision {
  private FirstDecision() {}

  public static void main(String[] arguments) throws IOException {
    Duration patience = Duration.ofSeconds(60);
    RedisStore redis =
        RedisStore.builder(arguments[0]).timeout(patience).connectTimeout(patience).build();
    try (GuardedStore store =
        GuardedStore.builder(redis)
            .deadline(Duration.ofMillis(Long.parseLong(arguments[1])))
            .build()) {
      RateLimiter limiter =
          RateLimiter.builder()
              .name("first")
              .limit("limit", Limit.tokenBucket(10, Duration.ofHours(1)), FailurePolicy.ALLOW)
              .store(store)
              .build();
      decide(limiter);
      GuardedStore.warmUp(); // as the service does before it is ready
      if (System.in.read() >= 0) {
        decide(limiter);
      }
    }
  }

  private static void decide(RateLimiter limiter) {
    long start = System.nanoTime();
    Decision decision = limiter.decide("key");
    long millis = Duration.ofNanos(System.nanoTime() - start).toMillis();
    System.out.println(decision.source() + " after " + millis + " ms");
  }
}
