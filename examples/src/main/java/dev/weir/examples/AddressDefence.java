package dev.weir.examples;

import dev.weir.Limit;
import dev.weir.RateLimiter;
import dev.weir.http.ClientAddress;
import dev.weir.http.HttpLimiter;
import dev.weir.http.KeyResolver;
import dev.weir.servlet.WeirFilter;
import dev.weir.spi.LimitStore;
import java.time.Duration;
import java.util.List;

/**
 * Every address may send 100 requests in any minute, and 1000 in an hour, without a rules file. The
 * application stands behind a proxy on the same machine: only what that proxy says of a client's
 * address is believed.
 */
final class AddressDefence {
  private AddressDefence() {}

  static WeirFilter filter(LimitStore store) {
    RateLimiter perAddress =
        RateLimiter.builder()
            .name("address")
            .limit("minute", Limit.slidingLog(100, Duration.ofMinutes(1)))
            .limit("hour", Limit.tokenBucket(1000, Duration.ofHours(1)))
            .store(store)
            .build();
    HttpLimiter limiter =
        HttpLimiter.byKey(KeyResolver.address(), perAddress)
            .clientAddress(ClientAddress.behind(List.of("127.0.0.1", "::1")))
            .build();
    return WeirFilter.of(limiter);
  }
}
