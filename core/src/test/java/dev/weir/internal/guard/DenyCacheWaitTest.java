package dev.weir.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.ManualTime;
import dev.weir.MemoryStore;
import dev.weir.RateLimiter;
import dev.weir.Source;
import dev.weir.spi.LimitStore;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A denial from memory names the wait of the request that was asked, not of a smaller one. */
final class DenyCacheWaitTest {
  private static final Duration PERIOD = Duration.ofSeconds(60);

  private final ManualTime time = new ManualTime();

  static Stream<Limit> limits() {
    return Stream.of(
        Limit.tokenBucket(7, PERIOD),
        Limit.tokenBucket(6, PERIOD).withBurst(20),
        Limit.fixedWindow(6, PERIOD),
        Limit.slidingWindow(6, PERIOD),
        Limit.slidingLog(6, PERIOD));
  }

  @ParameterizedTest
  @MethodSource("limits")
  void aLargerRequestThatWaitsAsLongAsItWasToldPasses(Limit limit) {
    RateLimiter cached = limiter(limit);
    for (long taken = 0; taken < limit.capacity(); taken++) {
      cached.decide("key");
      time.advanceMicros(1);
    }
    assertThat(cached.decide("key").allowed()).isFalse();
    assertThat(cached.decide("key").source()).isEqualTo(Source.DENY_CACHE);
    Decision larger = cached.decide("key", 4);
    assertThat(larger.allowed()).isFalse();
    assertThat(cached.decide("key").source()).isEqualTo(Source.DENY_CACHE);
    time.advanceMicros(larger.retryAfter().toNanos() / 1000 - 2);
    assertThat(cached.decide("key", 4).allowed()).isFalse();
    time.advanceMicros(2);
    assertThat(cached.decide("key", 4).allowed()).isTrue();
  }

  private RateLimiter limiter(Limit limit) {
    LimitStore memory = MemoryStore.builder().time(time).build();
    return RateLimiter.builder()
        .name("waits")
        .limit("limit", limit)
        .store(
            new DenyCacheStore(memory, Duration.ofSeconds(1), 1000, () -> time.nowMicros() * 1000L))
        .build();
  }
}
