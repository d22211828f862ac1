package example.redis;

import dev.weir.Limit;
import dev.weir.RateLimiter;
import dev.weir.redis.RedisStore;
import java.time.Duration;

/** Limits shared over Redis, whose address is the only argument. */
final class RedisConsumer {
  private RedisConsumer() {}

  public static void main(String[] arguments) {
    String namespace = "consumer-" + ProcessHandle.current().pid();
    try (RedisStore store =
            RedisStore.builder(arguments[0])
                .namespace(namespace)
                .timeout(Duration.ofSeconds(10))
                .build();
        RateLimiter limiter =
            RateLimiter.builder()
                .name("login")
                .limit("day", Limit.fixedWindow(1, Duration.ofDays(1)))
                .store(store)
                .build()) {
      boolean first = limiter.tryAcquire("user-42");
      System.out.println(first + " " + limiter.tryAcquire("user-42"));
    }
  }
}
