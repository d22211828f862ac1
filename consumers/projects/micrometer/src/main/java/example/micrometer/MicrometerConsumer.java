package example.micrometer;

import dev.weir.Limit;
import dev.weir.RateLimiter;
import dev.weir.micrometer.WeirMetrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;

/** Decisions as metrics. */
final class MicrometerConsumer {
  private MicrometerConsumer() {}

  public static void main(String[] arguments) {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    try (RateLimiter limiter =
        RateLimiter.builder()
            .limit("day", Limit.tokenBucket(1, Duration.ofDays(1)))
            .listener(new WeirMetrics(registry))
            .build()) {
      limiter.decide("user-42");
      limiter.decide("user-42");
      System.out.println(registry.find("weir.decisions").counters().size());
    }
  }
}
