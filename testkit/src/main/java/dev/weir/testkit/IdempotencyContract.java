package dev.weir.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.CalendarUnit;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Policy;
import dev.weir.RateLimiter;
import dev.weir.Receipt;
import dev.weir.RequestId;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The part of {@link LimitStoreContract} about calls that count once, however often they are sent:
 * settlements, and decisions with a request id.
 */
abstract class IdempotencyContract extends InFlightContract {
  private static final Duration HOLD = Duration.ofSeconds(30);
  private static final RequestId ID = RequestId.of("request 1");

  static Stream<Limit> limitsOfTen() {
    return Stream.of(
        Limit.tokenBucket(10, Duration.ofHours(1)),
        Limit.fixedWindow(10, Duration.ofHours(1)),
        Limit.fixedWindow(10, Duration.ofHours(1)).fromFirstUse(),
        Limit.fixedWindow(10, CalendarUnit.DAY, ZoneId.of("Europe/Berlin")),
        Limit.slidingWindow(10, Duration.ofHours(1)),
        Limit.slidingLog(10, Duration.ofHours(1)));
  }

  @ParameterizedTest
  @MethodSource("limitsOfTen")
  void aLowerCostIsGivenBackOnce(Limit limit) {
    RateLimiter limiter = limiter(limit);
    Decision reserved = limiter.decide("key", 7);
    for (int sent = 0; sent < 3; sent++) {
      limiter.settle(reserved, 2);
      assertThat(limiter.peek("key").remaining()).isEqualTo(8);
    }
  }

  @ParameterizedTest
  @MethodSource("limitsOfTen")
  void aHigherCostIsTakenOnceIntoBoundedDebt(Limit limit) {
    RateLimiter limiter = limiter(limit);
    Decision reserved = limiter.decide("key", 3);
    for (int sent = 0; sent < 3; sent++) {
      limiter.settle(reserved, 8);
      assertThat(limiter.peek("key").remaining()).isEqualTo(2);
    }
    limiter.settle(limiter.decide("key", 1), Long.MAX_VALUE);
    limiter.refund("key", 10);
    assertThat(limiter.peek("key").remaining()).isZero();
    limiter.refund("key", 1);
    assertThat(limiter.peek("key").remaining()).isEqualTo(1);
  }

  @ParameterizedTest
  @MethodSource("limitsOfTen")
  void settlingWithTheSameCostChangesNothing(Limit limit) {
    RateLimiter limiter = limiter(limit);
    limiter.settle(limiter.decide("key", 3), 3);
    assertThat(limiter.peek("key").remaining()).isEqualTo(7);
  }

  @ParameterizedTest
  @MethodSource("limitsOfTen")
  void nothingIsGivenBackOnceTheReservationHasExpired(Limit limit) {
    RateLimiter limiter = limiter(limit);
    Decision reserved = limiter.decide("key", 10);
    time.advance(reserved.resetAfter());
    limiter.decide("key", 10);
    limiter.settle(reserved, 0);
    assertThat(limiter.peek("key").remaining()).isZero();
  }

  @Test
  void everyLimitOfADecisionIsSettledWithItsOwnCost() {
    Policy requests = Policy.of(rule, "requests", Limit.fixedWindow(10, Duration.ofHours(1)));
    Policy tokens = Policy.of(rule, "tokens", Limit.slidingWindow(1000, Duration.ofHours(1)));
    Policy budget = Policy.of(rule, "budget", Limit.slidingLog(5000, Duration.ofHours(1)));
    Policy slots = Policy.of(rule, "slots", Limit.inFlight(4, HOLD));
    RateLimiter limiter = RateLimiter.forClaims(store);
    List<Claim> claims =
        List.of(
            Claim.of(requests, "key"),
            new Claim(tokens, "key", 300),
            new Claim(budget, "other key", 900),
            Claim.of(slots, "key"));
    Receipt receipt = limiter.decide(claims).receipt().orElseThrow();
    List<Claim> costs = List.of(new Claim(tokens, "key", 500), new Claim(budget, "other key", 100));
    limiter.settle(receipt, costs);
    limiter.settle(receipt, costs);
    assertThat(limiter.peek(claims).outcomes())
        .extracting(o -> o.remaining())
        .containsExactly(9L, 500L, 4900L, 3L);
    Decision cancelled = limiter.decide(claims);
    limiter.settle(cancelled, 0);
    limiter.settle(cancelled, 0);
    assertThat(limiter.peek(claims).outcomes())
        .extracting(o -> o.remaining())
        .containsExactly(9L, 500L, 4900L, 3L);
  }

  @ParameterizedTest
  @MethodSource("limitsOfTen")
  void aRequestThatIsSentAgainPaysOnce(Limit limit) {
    RateLimiter limiter = limiter(limit);
    Decision first = limiter.decide("key", 3, ID);
    assertThat(first.repeated()).isFalse();
    limiter.decide("key", 2);
    time.advance(SECOND);
    Decision again = limiter.decide("key", 3, ID);
    assertThat(again.repeated()).isTrue();
    assertThat(again.allowed()).isTrue();
    assertThat(again.remaining()).isEqualTo(first.remaining()).isEqualTo(7);
    assertThat(again.resetAfter()).isEqualTo(first.resetAfter());
    assertThat(again.receipt()).isEqualTo(first.receipt());
    assertThat(limiter.peek("key").remaining()).isEqualTo(5);
  }

  @Test
  void anAnswerIsRepeatedForItsTimeAlone() {
    RateLimiter limiter = limiter(Limit.fixedWindow(10, Duration.ofHours(1)));
    RequestId brief = new RequestId("brief", Duration.ofSeconds(2));
    limiter.decide("key", 1, brief);
    time.advance(Duration.ofSeconds(2).minus(MICRO));
    assertThat(limiter.decide("key", 1, brief).repeated()).isTrue();
    time.advance(MICRO);
    assertThat(limiter.decide("key", 1, brief).repeated()).isFalse();
    assertThat(limiter.peek("key").remaining()).isEqualTo(8);
  }

  @Test
  void anotherRequestWithTheSameIdPaysForItself() {
    RateLimiter limiter = limiter(Limit.fixedWindow(10, Duration.ofHours(1)));
    limiter.decide("key", 1, ID);
    assertThat(limiter.decide("other key", 1, ID).repeated()).isFalse();
    assertThat(limiter.decide("key", 2, ID).repeated()).isFalse();
    assertThat(limiter.decide("key", 1, RequestId.of("request 2")).repeated()).isFalse();
    assertThat(limiter.peek("key").remaining()).isEqualTo(6);
  }

  @Test
  void aDenialThatIsSentAgainIsDecidedAgain() {
    RateLimiter limiter = limiter(Limit.fixedWindow(1, SECOND));
    limiter.decide("key", 1);
    assertThat(limiter.decide("key", 1, ID).repeated()).isFalse();
    Decision again = limiter.decide("key", 1, ID);
    assertThat(again.allowed()).isFalse();
    assertThat(again.repeated()).isTrue();
    time.advance(again.retryAfter());
    assertThat(limiter.decide("key", 1, ID).allowed()).isTrue();
    assertThat(limiter.peek("key").remaining()).isZero();
    assertThat(limiter.decide("key", 1, ID).allowed()).isTrue();
  }

  @Test
  void aRepeatedAnswerHoldsTheSlotsOfTheFirst() {
    RateLimiter limiter = limiter(Limit.inFlight(3, HOLD), Limit.tokenBucket(10, SECOND));
    Decision first = limiter.decide("key", 1, ID);
    Decision again = limiter.decide("key", 1, ID);
    assertThat(again.repeated()).isTrue();
    assertThat(limiter.peek("key").outcomes().get(0).remaining()).isEqualTo(2);
    limiter.release(again);
    assertThat(limiter.peek("key").outcomes().get(0).remaining()).isEqualTo(3);
    assertThat(limiter.renew(first)).isFalse();
  }
}
