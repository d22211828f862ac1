package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.Policy;
import dev.weir.spi.Operation;
import dev.weir.spi.Question;
import dev.weir.testkit.FaultReport;
import dev.weir.testkit.RedisProcess;
import dev.weir.testkit.RedisServers;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** FAULTS 40 and 46: instances with different rules share one server. */
final class RuleVersionsTest {
  @RegisterExtension static final RedisServers SERVERS = RedisServers.embedded();

  private static final Duration PERIOD = Duration.ofDays(400);

  private RedisProcess redis;
  private Admin admin;
  private RedisStore before;
  private RedisStore after;

  @BeforeEach
  void open() {
    redis = SERVERS.redis();
    admin = Admin.of(redis);
    before = RedisStore.builder(redis.uri()).timeout(Duration.ofSeconds(5)).build();
    after = RedisStore.builder(redis.uri()).timeout(Duration.ofSeconds(5)).build();
  }

  @AfterEach
  void close() {
    before.close();
    after.close();
    admin.close();
  }

  @Test
  void aLimitThatOneInstanceDoesNotKnowSurvivesItsWrites() {
    List<Limit> limits = Asking.limits(1000, PERIOD).toList();
    for (Limit unknown : limits) {
      for (Limit known : limits) {
        String key = Asking.nameOf(unknown) + "-" + Asking.nameOf(known);
        Asking newer = new Asking(after, Policy.of("rule", "new", unknown));
        Asking older = new Asking(before, Policy.of("rule", "old", known));
        newer.take(key, 100);
        for (int i = 0; i < 5; i++) {
          older.take(key, 7);
          older.charge(key, 1);
          older.refund(key, 3);
        }
        assertThat(newer.peek(key, 1).remaining()).as(key).isEqualTo(900);
        assertThat(older.peek(key, 1).remaining()).as(key).isEqualTo(975);
        older.reset(key);
        assertThat(newer.peek(key, 1).remaining()).as(key).isEqualTo(900);
        assertThat(newer.take(key, 100).remaining()).as(key).isEqualTo(800);
      }
    }
    FaultReport.row("46 a limit one side does not know", 36, "survives its writes");
  }

  @Test
  void theTtlFollowsTheLongestLimitOfAKeyWhoeverWrites() {
    Asking long_ = new Asking(after, Policy.of("rule", "long", Limit.fixedWindow(9, PERIOD)));
    Asking brief =
        new Asking(before, Policy.of("rule", "brief", Limit.tokenBucket(9, Duration.ofSeconds(1))));
    long needMicros = long_.take("key", 1).resetAfterMicros();
    for (int i = 0; i < 20; i++) {
      brief.take("key", 1);
    }
    assertThat(admin.redis.pttl(admin.keys().get(0))).isGreaterThan(needMicros / 1000 - 10_000);
    assertThat(long_.peek("key", 1).remaining()).isEqualTo(8);
  }

  @Test
  void twoVersionsOfOneLimitTakeTurnsWithoutForgivingOrAdding() {
    Asking older = new Asking(before, Policy.of("rule", "api", Limit.tokenBucket(1000, PERIOD)));
    Asking newer = new Asking(after, Policy.of("rule", "api", Limit.tokenBucket(600, PERIOD)));
    int admitted = 0;
    for (int i = 0; i < 1000; i++) {
      admitted += (i % 2 == 0 ? older : newer).take("key", 1).fits() ? 1 : 0;
    }
    assertThat(admitted).isBetween(600 + 200, 1000);
    assertThat(older.peek("key", 1).remaining()).isEqualTo(1000 - admitted);
    assertThat(newer.peek("key", 1).fits()).isFalse();
    FaultReport.row(
        "46 two versions of one limit take turns",
        1000,
        admitted + " admitted; bound 1000, the larger one",
        older.longest());
  }

  @Test
  void oneQuestionOverBothVersionsTakesFromBoth() {
    Policy known = Policy.of("rule", "known", Limit.slidingWindow(10, PERIOD));
    Policy added = Policy.of("rule", "added", Limit.tokenBucket(10, PERIOD));
    Asking newer = new Asking(after, added);
    newer.await(
        after.decide(
            new Question(
                Operation.ACQUIRE, List.of(Claim.of(known, "key"), Claim.of(added, "key")))));
    Asking older = new Asking(before, known);
    assertThat(older.take("key", 1).remaining()).isEqualTo(8);
    assertThat(newer.peek("key", 1).remaining()).isEqualTo(9);
    assertThat(admin.keys()).hasSize(1).first().asString().startsWith("weir:1:default:{");
  }
}
