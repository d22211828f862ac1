package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Policy;
import dev.weir.RateLimiter;
import dev.weir.testkit.RedisProcess;
import dev.weir.testkit.RedisServers;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** P20: settling costs one call, whatever the limits. */
final class SettlementCallTest {
  @RegisterExtension static final RedisServers SERVERS = RedisServers.embedded();

  private final RedisProcess redis = SERVERS.redis();

  @Test
  void aSettlementOfSeveralLimitsIsOneCall() {
    Policy requests = Policy.of("model", "requests", Limit.tokenBucket(10, Duration.ofMinutes(1)));
    Policy tokens = Policy.of("model", "tokens", Limit.slidingWindow(900, Duration.ofMinutes(1)));
    Policy budget =
        Policy.of("model", "budget", Limit.fixedWindow(9000, Duration.ofDays(30)).warnAt(80));
    Policy slots = Policy.of("model", "slots", Limit.inFlight(4, Duration.ofSeconds(30)));
    List<Claim> claims =
        List.of(
            Claim.of(requests, "tenant"),
            new Claim(tokens, "tenant", 100),
            new Claim(budget, "tenant", 100),
            Claim.of(slots, "tenant"));
    try (RedisStore store = RedisStore.builder(redis.uri()).timeout(Duration.ofSeconds(5)).build();
        Admin admin = Admin.of(redis)) {
      RateLimiter limiter = RateLimiter.forClaims(store);
      Decision reserved = limiter.decide(claims);
      long before = admin.scriptCalls();
      limiter.settle(
          reserved.receipt().orElseThrow(),
          List.of(new Claim(tokens, "tenant", 150), new Claim(budget, "tenant", 60)));
      assertThat(admin.scriptCalls() - before).isEqualTo(1);
      assertThat(limiter.peek(claims).outcomes())
          .extracting(outcome -> outcome.remaining())
          .containsExactly(9L, 750L, 8940L, 3L);
    }
  }
}
