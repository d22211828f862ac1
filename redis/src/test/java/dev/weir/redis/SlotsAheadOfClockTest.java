package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.RateLimiter;
import dev.weir.testkit.FaultReport;
import dev.weir.testkit.RedisProcess;
import dev.weir.testkit.RedisServers;
import io.lettuce.core.ScriptOutputType;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * FAULTS 16 for requests in flight: the server's clock was set back, also by a failover to a server
 * that is late. To that clock, slots end an hour too late: that is what is written here.
 */
final class SlotsAheadOfClockTest {
  private static final Duration HOLD = Duration.ofSeconds(30);
  private static final Duration HOUR = Duration.ofHours(1);

  @RegisterExtension static final RedisServers SERVERS = RedisServers.embedded();

  private final RedisProcess redis = SERVERS.redis();
  private RedisStore store;
  private Admin admin;
  private RateLimiter limiter;

  @BeforeEach
  void open() {
    store = RedisStore.builder(redis.uri()).timeout(Duration.ofSeconds(5)).build();
    admin = Admin.of(redis);
    admin.flush();
    limiter =
        RateLimiter.builder()
            .name("clock")
            .store(store)
            .limit("slots", Limit.inFlight(2, HOLD))
            .build();
  }

  @AfterEach
  void close() {
    admin.close();
    store.close();
  }

  /** All slots that are held end an hour later, as if the clock had been set back by one. */
  private void setClockBack() {
    String key = admin.keys().stream().filter(name -> name.contains("clock")).findAny().get();
    admin.redis.eval(
        "local held = redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES') "
            + "for i = 1, #held, 2 do redis.call('ZADD', KEYS[1], "
            + "string.format('%.0f', held[i + 1] + ARGV[1]), held[i]) end return 1",
        ScriptOutputType.INTEGER, new String[] {key}, Long.toString(HOUR.toNanos() / 1000));
  }

  @Test
  void slotsOfHoldersThatAreGoneAreLostAfterOneHoldAndNothingExtraIsAdmitted() {
    limiter.decide("key");
    limiter.decide("key");
    setClockBack();
    assertThat(limiter.peek("key").retryAfter()).isLessThanOrEqualTo(HOLD);
    Decision denied = limiter.decide("key");
    assertThat(denied.allowed()).isFalse();
    assertThat(denied.retryAfter()).isPositive().isLessThanOrEqualTo(HOLD);
    assertThat(denied.resetAfter()).isLessThanOrEqualTo(HOLD);
    assertThat(lastEndMicros()).isLessThanOrEqualTo(serverMicros() + HOLD.toNanos() / 1000);
    FaultReport.row("16 server clock back 1 h (IN_FLIGHT)", 1, "nothing extra; free after a hold");
  }

  @Test
  void holdersThatAreAliveKeepTheirSlotsAndReleaseThem() {
    Decision first = limiter.decide("key");
    limiter.decide("key");
    setClockBack();
    assertThat(limiter.decide("key").allowed()).isFalse();
    assertThat(limiter.renew(first)).isTrue();
    limiter.release(first);
    assertThat(limiter.peek("key").remaining()).isEqualTo(1);
    assertThat(limiter.decide("key").allowed()).isTrue();
    assertThat(limiter.decide("key").allowed()).isFalse();
  }

  private double lastEndMicros() {
    String key = admin.keys().stream().filter(name -> name.contains("clock")).findAny().get();
    return admin.redis.zrevrangeWithScores(key, 0, 0).get(0).getScore();
  }

  private long serverMicros() {
    var time = admin.redis.time();
    return Long.parseLong(time.get(0)) * 1_000_000 + Long.parseLong(time.get(1));
  }
}
