package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.CalendarUnit;
import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.TimeSource;
import dev.weir.testkit.RedisProcess;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** FAULTS 18 where a client has to guess which window of the calendar the server is in. */
final class CalendarEdgeTest {
  private static final Limit MONTHLY = Limit.fixedWindow(5, CalendarUnit.MONTH, ZoneOffset.UTC);

  @ParameterizedTest
  @ValueSource(ints = {-40, 40})
  void aWrongGuessIsToldSoAndChangesNothing(int daysOff) {
    try (RedisProcess redis = RedisProcess.start();
        RedisStore store = RedisStore.builder(redis.uri()).timeout(Duration.ofSeconds(5)).build();
        Link skewed = Link.open(RedisStore.builder(redis.uri()).timeout(Duration.ofSeconds(5)))) {
      Asking asking = Asking.about(store, MONTHLY);
      asking.take("key", 3);
      Claim claim = Claim.of(asking.policy, "key");
      Call call = new Call(OperationCode.ACQUIRE, List.of(claim), OptionalLong.empty());
      call.add(new BoundPolicy(asking.policy), new KeyNames("default").of(claim, false));
      long guess = TimeSource.system().nowMicros() + Duration.ofDays(daysOff).toMillis() * 1000;
      List<Object> parts = asking.await(skewed.decide(call, call.question(guess), null));
      assertThat(new Reply(call, true, parts).missedEdge()).isTrue();
      assertThat(asking.peek("key", 1).remaining()).isEqualTo(2);
    }
  }
}
