package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What others do between a thread's look at the clock and its look at the state. */
final class ConcurrentClockTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  /** Answers with the time, but late: others have used the while. */
  private static final class SlowClock implements TimeSource {
    private final ManualTime time = new ManualTime();
    private Runnable meanwhile = () -> {};

    @Override
    public long nowMicros() {
      long now = time.nowMicros();
      Runnable others = meanwhile;
      meanwhile = () -> {};
      others.run();
      return now;
    }

    @Override
    public CompletionStage<Void> after(Duration wait) {
      return time.after(wait);
    }
  }

  private final SlowClock clock = new SlowClock();
  private final MemoryStore store = MemoryStore.builder().time(clock).build();

  static Stream<Limit> limits() {
    return Stream.of(
        Limit.tokenBucket(3, SECOND),
        Limit.fixedWindow(3, SECOND),
        Limit.slidingWindow(3, SECOND),
        Limit.slidingLog(3, SECOND));
  }

  /** At the old time nothing was left; so what is admitted must count at the new one. */
  @ParameterizedTest
  @MethodSource("limits")
  void aLateThreadDoesNotCountInAWindowThatIsOver(Limit limit) {
    RateLimiter limiter =
        RateLimiter.builder()
            .name("limiter")
            .limit("limit", limit)
            .store(store)
            .time(clock)
            .build();
    clock.meanwhile =
        () -> {
          limiter.decide("key", 3);
          clock.time.advance(SECOND.multipliedBy(2));
          limiter.peek("key"); // the key is fresh and forgotten
        };
    if (limiter.tryAcquire("key")) {
      assertThat(limiter.peek("key").remaining()).isEqualTo(2);
    }
  }

  /** Both keys are always taken and given back together, so nobody may see them apart. */
  @Test
  void aPeekAtSeveralKeysSeesThemAtOneInstant() throws Exception {
    Policy policy = Policy.of("rule", "limit", Limit.tokenBucket(3, SECOND));
    RateLimiter limiter = RateLimiter.builder().policy(policy).store(store).time(clock).build();
    List<Claim> both = List.of(Claim.of(policy, "a"), Claim.of(policy, "b"));
    AtomicBoolean done = new AtomicBoolean();
    CompletableFuture<Void> writer =
        CompletableFuture.runAsync(
            () -> {
              while (!done.get()) {
                limiter.refund(limiter.decide(both));
              }
            });
    try {
      for (int i = 0; i < 300_000; i++) {
        List<Outcome> seen = limiter.peek(both).outcomes();
        assertThat(seen.get(0).remaining()).isEqualTo(seen.get(1).remaining());
      }
    } finally {
      done.set(true);
      writer.join();
    }
  }
}
