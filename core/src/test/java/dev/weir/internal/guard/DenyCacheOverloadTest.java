package dev.weir.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import dev.weir.ManualTime;
import dev.weir.MemoryStore;
import dev.weir.RateLimiter;
import dev.weir.spi.LimitStore;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Ten times more requests than the limits allow, at a clock moved by hand. */
final class DenyCacheOverloadTest {
  private static final int KEYS = 100;
  private static final int PER_SECOND = 20;
  private static final int STEPS = 10 * PER_SECOND * 5;
  private static final Duration SECOND = Duration.ofSeconds(1);

  static Stream<Limit> limits() {
    return Stream.of(
        Limit.tokenBucket(PER_SECOND, SECOND),
        Limit.fixedWindow(PER_SECOND, SECOND),
        Limit.slidingWindow(PER_SECOND, SECOND),
        Limit.slidingLog(PER_SECOND, SECOND));
  }

  @ParameterizedTest
  @MethodSource("limits")
  void theSameRequestsPassWithAndWithoutTheCacheAndFewReachTheStore(Limit limit) {
    ManualTime time = new ManualTime();
    ControllableStore asked = new ControllableStore(MemoryStore.builder().time(time).build());
    LimitStore cached = new DenyCacheStore(asked, SECOND, 1000, () -> time.nowMicros() * 1000);
    RateLimiter with =
        RateLimiter.builder().name("limiter").limit("l", limit).store(cached).build();
    RateLimiter without = RateLimiter.builder().limit("l", limit).time(time).build();
    for (int step = 0; step < STEPS; step++) {
      for (int key = 0; key < KEYS; key++) {
        String name = "key-" + key;
        assertThat(with.decide(name).allowed()).isEqualTo(without.decide(name).allowed());
      }
      time.advance(SECOND.dividedBy(10 * PER_SECOND));
    }
    assertThat(asked.asked.get()).isLessThan(STEPS * KEYS * 3 / 10);
  }
}
