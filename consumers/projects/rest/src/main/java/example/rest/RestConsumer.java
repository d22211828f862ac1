package example.rest;

import dev.weir.Limit;
import dev.weir.RateLimiter;
import dev.weir.http.HttpLimiter;
import dev.weir.http.KeyResolver;
import dev.weir.rest.LimitedFilter;
import jakarta.ws.rs.container.ContainerRequestContext;
import java.time.Duration;

/** A filter by header field. */
final class RestConsumer extends LimitedFilter {
  private RestConsumer(HttpLimiter limiter) {
    super(limiter);
  }

  @Override
  protected String peer(ContainerRequestContext request) {
    return "192.0.2.1";
  }

  public static void main(String[] arguments) {
    try (RateLimiter limiter = RateLimiter.of(Limit.tokenBucket(1, Duration.ofDays(1)))) {
      LimitedFilter filter =
          new RestConsumer(HttpLimiter.byKey(KeyResolver.header("X-Api-Key"), limiter).build());
      System.out.println(filter.getClass().getSuperclass().getSimpleName());
    }
  }
}
