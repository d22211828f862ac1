package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A token bucket gives its full rate, to the microsecond, however long and however often asked. */
final class DriftTest {
  private static final int POLLS = 10_000_000;

  private final Ticks time = new Ticks();
  private RateLimiter limiter;

  /** A clock for one thread that never waits: ten million moves of a full one take long. */
  private static final class Ticks implements TimeSource {
    private long nowMicros;

    void advanceMicros(long micros) {
      nowMicros += micros;
    }

    @Override
    public long nowMicros() {
      return nowMicros;
    }

    @Override
    public CompletionStage<Void> after(Duration wait) {
      throw new UnsupportedOperationException();
    }
  }

  @AfterEach
  void close() {
    limiter.close();
  }

  @ParameterizedTest
  @CsvSource({"3, 1, 137", "7, 1, 137", "11, 1, 137", "7, 60, 1009"})
  void tenMillionPollsGetEveryPermitAtItsTime(long permits, long seconds, long pollMicros) {
    open(Limit.tokenBucket(permits, Duration.ofSeconds(seconds)));
    long admitted = 0;
    long due = 0;
    for (int poll = 0; poll < POLLS; poll++) {
      boolean allowed = limiter.tryAcquire("key");
      if (allowed != time.nowMicros() >= due) {
        throw new AssertionError("permit " + admitted + " is due at " + due + ", poll " + poll);
      }
      if (allowed) {
        admitted++;
        due = dueOf(admitted, permits, seconds);
      }
      time.advanceMicros(pollMicros);
    }
    long lastPoll = (POLLS - 1) * pollMicros;
    assertThat(admitted).isEqualTo(permits + lastPoll * permits / (seconds * 1_000_000));
  }

  /** The burst is there at once; each later permit is there when it has refilled, rounded up. */
  private static long dueOf(long index, long permits, long seconds) {
    long refilled = Math.max(0, index - permits + 1);
    return (refilled * seconds * 1_000_000 + permits - 1) / permits;
  }

  @Test
  void askingEveryMicrosecondDoesNotSlowTheRefill() {
    open(Limit.tokenBucket(7, Duration.ofMillis(1)).withBurst(2));
    long admitted = 0;
    for (int micro = 0; micro <= 1_000_000; micro++) {
      admitted += limiter.decide("key").allowed() ? 1 : 0;
      time.advanceMicros(1);
    }
    assertThat(admitted).as("2 at once, 7 in each of 1000 ms").isEqualTo(7_002);
  }

  @Test
  void aBurstFarBelowTheRateIsStillTheMostAtOneInstant() {
    open(Limit.tokenBucket(1_000_000_000, Duration.ofSeconds(1)).withBurst(3));
    for (int micro = 0; micro < 1_000; micro++) {
      for (int i = 0; i < 3; i++) {
        assertThat(limiter.tryAcquire("key")).isTrue();
      }
      Decision fourth = limiter.decide("key");
      assertThat(fourth.allowed()).isFalse();
      assertThat(fourth.retryAfter()).isEqualTo(Duration.ofNanos(1_000));
      time.advanceMicros(1);
    }
  }

  private void open(Limit limit) {
    limiter = RateLimiter.builder().limit("limit", limit).time(time).build();
  }
}
