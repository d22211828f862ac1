package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.CalendarUnit;
import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.ManualTime;
import dev.weir.redis.internal.script.OneCall;
import dev.weir.spi.Operation;
import dev.weir.spi.Question;
import dev.weir.spi.Verdict;
import dev.weir.testkit.RedisProcess;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** FAULTS 18 where a client has to guess which window of the calendar the server is in. */
final class CalendarEdgeTest {
  private static final Limit MONTHLY = Limit.fixedWindow(5, CalendarUnit.MONTH, ZoneOffset.UTC);

  @ParameterizedTest
  @ValueSource(ints = {-40, 40})
  void aWrongGuessIsToldSoAndChangesNothing(int daysOff) {
    ManualTime skewed = new ManualTime();
    skewed.set(Instant.now().plus(Duration.ofDays(daysOff)));
    try (RedisProcess redis = RedisProcess.start();
        RedisStore store = RedisStore.builder(redis.uri()).timeout(Duration.ofSeconds(5)).build();
        OneCall call =
            new OneCall(
                RedisStore.builder(redis.uri()).timeout(Duration.ofSeconds(5)).settings(),
                null,
                skewed)) {
      Asking asking = Asking.about(store, MONTHLY);
      asking.take("key", 3);
      Claim claim = Claim.of(asking.policy, "key");
      assertThat(call.missesEdge(new Question(Operation.ACQUIRE, List.of(claim)))).isTrue();
      assertThat(asking.peek("key", 1).remaining()).isEqualTo(2);
    }
  }

  @Test
  void aWindowThatBeganBefore1970IsEnforced() {
    Limit limit = Limit.fixedWindow(2, CalendarUnit.MONTH, ZoneId.of("America/New_York"));
    ManualTime time = new ManualTime();
    try (RedisProcess redis = RedisProcess.start();
        RedisStore store = RedisStore.builder(redis.uri()).clientTime(time).build()) {
      Asking asking = Asking.about(store, limit);
      assertThat(asking.take("key", 1).remaining()).isEqualTo(1);
      time.advance(Duration.ofSeconds(1));
      assertThat(asking.take("key", 1).remaining()).isZero();
      Verdict denied = asking.take("key", 1);
      assertThat(denied.fits()).isFalse();
      time.advanceMicros(denied.retryAfterMicros());
      assertThat(time.nowMicros()).isEqualTo(Duration.ofHours(5).toMillis() * 1000);
      assertThat(asking.take("key", 1).fits()).isTrue();
    }
  }
}
