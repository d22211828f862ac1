package example.http;

import dev.weir.Limit;
import dev.weir.RateLimiter;
import dev.weir.http.RateLimitFields;
import java.time.Duration;

/** Header fields of a decision. */
final class HttpConsumer {
  private HttpConsumer() {}

  public static void main(String[] arguments) {
    RateLimitFields fields = RateLimitFields.standard();
    try (RateLimiter limiter = RateLimiter.of(Limit.tokenBucket(1, Duration.ofDays(1)))) {
      boolean first = fields.of(limiter.decide("user-42")).containsKey("Retry-After");
      boolean second = fields.of(limiter.decide("user-42")).containsKey("Retry-After");
      System.out.println(first + " " + second);
    }
  }
}
