package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.Decision;
import dev.weir.FailurePolicy;
import dev.weir.Limit;
import dev.weir.Policy;
import dev.weir.RateLimiter;
import dev.weir.RequestId;
import dev.weir.StoreUnavailableException;
import dev.weir.testkit.FaultProxy;
import dev.weir.testkit.FaultReport;
import dev.weir.testkit.RedisProcess;
import dev.weir.testkit.RedisServers;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** FAULTS 10 with a request id: the store asks again, and nothing is unknown any more. */
@Timeout(120)
final class LostAnswerTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final Policy POLICY =
      Policy.of("lost", "day", Limit.fixedWindow(1000, Duration.ofDays(400)).warnAt(1))
          .onStoreFailure(FailurePolicy.ERROR);

  @RegisterExtension static final RedisServers SERVERS = RedisServers.embedded();

  private final RedisProcess redis = SERVERS.redis();
  private FaultProxy proxy;
  private RedisStore asking;
  private RedisStore plain;
  private RedisStore direct;

  @BeforeEach
  void open() {
    proxy = FaultProxy.to(redis.port());
    String uri = "redis://127.0.0.1:" + proxy.port();
    asking = RedisStore.builder(uri).timeout(TIMEOUT).askAgain().build();
    plain = RedisStore.builder(uri).timeout(TIMEOUT).build();
    direct = RedisStore.builder(redis.uri()).timeout(TIMEOUT).build();
  }

  @AfterEach
  void close() {
    asking.close();
    plain.close();
    direct.close();
    proxy.close();
  }

  private static RateLimiter over(RedisStore store) {
    return RateLimiter.builder().store(store).policy(POLICY).build();
  }

  private void awaitConnection(RateLimiter limiter) {
    await()
        .atMost(Duration.ofSeconds(15))
        .ignoreException(StoreUnavailableException.class)
        .until(() -> limiter.peek("probe").allowed());
  }

  private long used(String key) {
    return 1000 - over(direct).peek(key).remaining();
  }

  @Test
  void aLostAnswerIsAskedForAgainAndThePermitsAreTakenOnce() {
    RateLimiter limiter = over(asking);
    for (int i = 0; i < 5; i++) {
      String key = "asked-" + i;
      awaitConnection(limiter);
      proxy.dropNextReply();
      Decision decision = limiter.decide(key, 10, RequestId.of("request " + i));
      assertThat(decision.allowed()).isTrue();
      assertThat(decision.remaining()).isEqualTo(990);
      assertThat(decision.repeated()).as("the caller never got the first answer").isFalse();
      assertThat(decision.outcomes().get(0).firstWarning()).isTrue();
      assertThat(used(key)).isEqualTo(10);
      assertThat(limiter.decide(key, 10, RequestId.of("request " + i)).repeated()).isTrue();
      limiter.refund(decision);
      assertThat(used(key)).isZero();
    }
    FaultReport.row("10 reply dropped, with a request id and askAgain", 5, "answered, taken once");
  }

  @Test
  void aLostSettlementIsSentAgainAndSettlesOnce() {
    RateLimiter limiter = over(asking);
    awaitConnection(limiter);
    Decision reserved = limiter.decide("settled", 10);
    proxy.dropNextReply();
    limiter.settle(reserved, 30);
    assertThat(used("settled")).isEqualTo(30);
  }

  @Test
  void aQuestionWithoutAnIdIsNotAskedAgain() {
    RateLimiter limiter = over(asking);
    awaitConnection(limiter);
    proxy.dropNextReply();
    assertThatThrownBy(() -> limiter.decide("plain", 10))
        .isInstanceOf(StoreUnavailableException.class);
    assertThat(used("plain")).isEqualTo(10);
  }

  @Test
  void withoutTheOptionNothingIsAskedAgain() {
    RateLimiter limiter = over(plain);
    awaitConnection(limiter);
    proxy.dropNextReply();
    assertThatThrownBy(() -> limiter.decide("off", 10, RequestId.of("one")))
        .isInstanceOf(StoreUnavailableException.class);
    assertThat(used("off")).isEqualTo(10);
  }

  @Test
  void theTimeoutBoundsAllTries() {
    try (RedisStore brief =
        RedisStore.builder("redis://127.0.0.1:" + proxy.port())
            .timeout(Duration.ofMillis(500))
            .askAgain()
            .build()) {
      RateLimiter limiter = over(brief);
      awaitConnection(limiter);
      proxy.dropNextReply();
      proxy.refuse();
      long before = System.nanoTime();
      assertThatThrownBy(() -> limiter.decide("down", 10, RequestId.of("one")))
          .isInstanceOf(StoreUnavailableException.class);
      assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(TIMEOUT);
    }
  }
}
