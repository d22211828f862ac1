package example.servlet;

import dev.weir.Limit;
import dev.weir.RateLimiter;
import dev.weir.http.HttpLimiter;
import dev.weir.http.KeyResolver;
import dev.weir.servlet.WeirFilter;
import jakarta.servlet.Filter;
import java.time.Duration;

/** A filter by address. */
final class ServletConsumer {
  private ServletConsumer() {}

  public static void main(String[] arguments) {
    try (RateLimiter limiter = RateLimiter.of(Limit.tokenBucket(1, Duration.ofDays(1)))) {
      Filter filter = WeirFilter.of(HttpLimiter.byKey(KeyResolver.address(), limiter).build());
      System.out.println(filter.getClass().getSimpleName());
    }
  }
}
