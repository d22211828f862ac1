package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.StoreUnavailableException;
import dev.weir.redis.internal.protocol.KeyNames;
import dev.weir.spi.Operation;
import dev.weir.spi.Question;
import dev.weir.testkit.FaultReport;
import dev.weir.testkit.RedisProcess;
import dev.weir.testkit.RedisServers;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** FAULTS 14: somebody else's data lies under a key of ours. */
final class ForeignDataTest {
  @RegisterExtension static final RedisServers SERVERS = RedisServers.embedded();

  private static final Limit BUCKET = Limit.tokenBucket(5, Duration.ofDays(1));
  private static final Limit LOG = Limit.slidingLog(5, Duration.ofDays(1));
  private static final String MESSAGE =
      "a key that starts with weir:1:default:{ holds data that is not ours: ";

  private static RedisProcess redis;
  private static Admin admin;
  private RedisStore store;

  @BeforeAll
  static void start() {
    redis = SERVERS.redis();
    admin = Admin.of(redis);
  }

  @AfterAll
  static void stop() {
    admin.close();
  }

  @BeforeEach
  void open() {
    admin.redis.flushall();
    store = RedisStore.builder(redis.uri()).timeout(Duration.ofSeconds(5)).build();
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void aHashUnderAStateKeyFailsThatKeyOnlyAndIsLeftAlone() {
    Asking asking = Asking.about(store, BUCKET);
    admin.redis.hset(nameOf(asking, "taken"), "field", "value");
    assertFailsForOnly(asking, "WRONGTYPE");
    assertThat(admin.redis.hget(nameOf(asking, "taken"), "field")).isEqualTo("value");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "1",
        "sixbyt",
        "some other text",
        "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=" // 44 characters, as long as one record
      })
  void aStringOfOthersUnderAStateKeyFailsThatKeyOnlyAndIsLeftAlone(String text) {
    Asking asking = Asking.about(store, BUCKET);
    admin.redis.set(nameOf(asking, "taken"), text);
    assertFailsForOnly(asking, "FOREIGN");
    assertThat(admin.redis.get(nameOf(asking, "taken"))).isEqualTo(text);
  }

  @Test
  void aStringUnderALogKeyFailsThatKeyOnlyAndIsLeftAlone() {
    Asking asking = Asking.about(store, LOG);
    admin.redis.set(nameOf(asking, "taken"), "text");
    assertFailsForOnly(asking, "WRONGTYPE");
    assertThat(admin.redis.get(nameOf(asking, "taken"))).isEqualTo("text");
  }

  @Test
  void aSortedSetOfOthersUnderALogKeyFailsThatKeyOnlyAndIsLeftAlone() {
    Asking asking = Asking.about(store, LOG);
    admin.redis.zadd(nameOf(asking, "taken"), 1, "alice");
    assertFailsForOnly(asking, "FOREIGN");
    assertThat(admin.redis.zscore(nameOf(asking, "taken"), "alice")).isEqualTo(1);
  }

  @Test
  void aLimitOfAnotherKindBesideForeignDataTakesNothing() {
    Asking bucket = Asking.about(store, BUCKET);
    Asking log = Asking.about(store, LOG);
    admin.redis.set(nameOf(log, "taken"), "text");
    var question =
        new Question(
            Operation.ACQUIRE,
            List.of(new Claim(bucket.policy, "taken", 1), new Claim(log.policy, "taken", 1)));
    assertThat(bucket.failure(() -> bucket.await(store.decide(question))))
        .hasMessageStartingWith(MESSAGE);
    assertThat(bucket.peek("taken", 1).remaining()).isEqualTo(5);
  }

  private static void assertFailsForOnly(Asking asking, String error) {
    assertThat(asking.failureOfTake("taken")).hasMessageStartingWith(MESSAGE + error);
    for (Runnable call :
        new Runnable[] {
          () -> asking.peek("taken", 1),
          () -> asking.charge("taken", 1),
          () -> asking.refund("taken", 1),
          () -> asking.reset("taken")
        }) {
      StoreUnavailableException failure = asking.failure(call);
      assertThat(failure).hasMessageContaining(MESSAGE).hasMessageContaining(error);
    }
    assertThat(asking.take("other", 1).remaining()).isEqualTo(4);
    FaultReport.row("14 foreign data, " + error, 5, "error, left alone", asking.longest());
  }

  private static String nameOf(Asking asking, String key) {
    boolean inLog = asking.policy.limit() instanceof Limit.SlidingLog;
    return new KeyNames("default").of(Claim.of(asking.policy, key), inLog);
  }
}
