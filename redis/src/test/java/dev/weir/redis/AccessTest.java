package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.Receipt;
import dev.weir.StoreUnavailableException;
import dev.weir.testkit.ExternalPrograms;
import dev.weir.testkit.FaultReport;
import dev.weir.testkit.RedisBinary;
import dev.weir.testkit.RedisCluster;
import dev.weir.testkit.RedisProcess;
import dev.weir.testkit.RedisServers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** FAULTS 13: the server does not let us in, or not far enough. */
@Timeout(60)
final class AccessTest {
  private static final Duration PERIOD = Duration.ofDays(400);
  private static final String RULE =
      "ACL SETUSER weir on >PASSWORD resetkeys ~weir:1:default:{* -@all +evalsha +script|load +time"
          + " +get +set +del +zadd +zcard +zcount +zrange +zrevrange +zscore +zrangebyscore +zrem"
          + " +zremrangebyscore +pexpire +ping +hello +auth +info +cluster|nodes +asking";

  @RegisterExtension
  static final RedisServers PROTECTED = RedisServers.with("--requirepass", "secret");

  @Test
  void withoutThePasswordTheErrorSaysWhereToPutIt() {
    RedisProcess redis = PROTECTED.redis();
    assertThatThrownBy(() -> RedisStore.connect(redis.uri()))
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageStartingWith("Redis at 127.0.0.1:" + redis.port() + ": NOAUTH ")
        .hasMessageEndingWith(
            ". Put the password into the address: redis://user:password@host:port");
    try (RedisStore store = RedisStore.connect(uri(redis, "default:secret"))) {
      assertThat(store.warnings()).isEmpty();
    }
    FaultReport.row("13 NOAUTH", 1, "start refused, says what to change");
  }

  @Test
  void withAWrongPasswordTheErrorSaysSo() {
    RedisProcess redis = PROTECTED.redis();
    assertThatThrownBy(() -> RedisStore.connect(uri(redis, "default:wrong")))
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessage(
            "Redis at 127.0.0.1:"
                + redis.port()
                + ": WRONGPASS invalid username-password pair or user is disabled."
                + ". Check the user and the password of the address")
        .hasMessageNotContaining("secret");
    FaultReport.row("13 WRONGPASS", 1, "start refused, says what to change");
  }

  @Test
  void aUserWhoMayNotRunAScriptIsToldTheRule() {
    try (RedisProcess redis = RedisProcess.start()) {
      redis.command("ACL", "SETUSER", "poor", "on", ">pw", "~*", "+@all", "-info");
      assertThatThrownBy(() -> RedisStore.connect(uri(redis, "poor:pw")))
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessage(
              "Redis at 127.0.0.1:"
                  + redis.port()
                  + ": NOPERM this user has no permissions to run the 'info' command or its"
                  + " subcommand. This access rule is enough: "
                  + RULE);
      FaultReport.row("13 NOPERM", 1, "start refused with the rule");
    }
  }

  @Test
  void aUserWhoMayNotTouchTheKeysIsToldTheRuleAtTheFirstCall() {
    try (RedisProcess redis = RedisProcess.start()) {
      redis.command("ACL", "SETUSER", "poor", "on", ">pw", "~other:*", "+@all");
      try (RedisStore store = RedisStore.connect(uri(redis, "poor:pw"))) {
        Asking.limits(5, PERIOD)
            .forEach(
                limit ->
                    assertThat(Asking.about(store, limit).failureOfTake("key"))
                        .hasMessageContaining("NOPERM")
                        .hasMessageEndingWith(". This access rule is enough: " + RULE));
      }
    }
  }

  @Test
  void theRuleThatIsPrintedIsEnoughForEverything() {
    theRuleIsEnough(RedisBinary.embedded());
  }

  @Test
  @Tag("external")
  void theRuleThatIsPrintedIsEnoughForEverythingOnAnInstalledServer() {
    theRuleIsEnough(ExternalPrograms.require(RedisBinary.installed(), "redis-server"));
  }

  @Test
  void theRuleThatIsPrintedIsEnoughOnACluster() {
    try (RedisCluster cluster = RedisCluster.start(2)) {
      cluster
          .masters()
          .forEach(
              node ->
                  assertThat(node.command(RULE.replace("PASSWORD", "pw").split(" ")))
                      .isEqualTo("+OK"));
      String uri = cluster.uri().replace("://", "://weir:pw@");
      try (RedisStore store = RedisStore.builder(uri).timeout(Duration.ofSeconds(5)).build()) {
        Asking asking = Asking.about(store, Limit.fixedWindow(5, PERIOD));
        for (int i = 0; i < 20; i++) {
          assertThat(asking.take("key-" + i, 1).fits()).isTrue();
        }
        assertThat(store.warnings()).isEmpty();
      }
    }
  }

  private static void theRuleIsEnough(Path binary) {
    try (RedisProcess redis = RedisProcess.start(binary)) {
      assertThat(redis.command(RULE.replace("PASSWORD", "pw").split(" "))).isEqualTo("+OK");
      try (RedisStore store =
          RedisStore.builder(uri(redis, "weir:pw")).timeout(Duration.ofSeconds(5)).build()) {
        Asking.limits(5, PERIOD).forEach(limit -> useAll(store, limit, redis));
      }
    }
  }

  /** Every branch of the scripts: each limit, each operation, granted and denied, old and new. */
  private static void useAll(RedisStore store, Limit limit, RedisProcess redis) {
    Asking asking = Asking.about(store, limit);
    redis.command("SCRIPT", "FLUSH");
    assertThat(asking.take("key", 2).fits()).isTrue();
    assertThat(asking.take("key", 4).fits()).isFalse();
    assertThat(asking.peek("key", 4).fits()).isFalse();
    assertThat(asking.charge("key", 6).fits()).isFalse(); // taken, and into debt
    assertThat(asking.refund("key", 7).remaining()).isEqualTo(4);
    var taken = asking.await(asking.send("dated", 3));
    asking.await(asking.send("dated", 1));
    asking.await(
        store.refund(
            Receipt.granted(
                List.of(new Claim(asking.policy, "dated", 3)), taken.each().get(0).atMicros())));
    assertThat(asking.peek("dated", 1).remaining()).isEqualTo(4);
    asking.reset("key");
    assertThat(asking.peek("key", 1).remaining()).isEqualTo(5);
  }

  private static String uri(RedisProcess redis, String user) {
    return "redis://" + user + "@127.0.0.1:" + redis.port();
  }
}
