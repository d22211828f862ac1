package dev.weir.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.FailurePolicy;
import dev.weir.Limit;
import dev.weir.ManualTime;
import dev.weir.MemoryStore;
import dev.weir.Policy;
import dev.weir.RateLimiter;
import dev.weir.Source;
import dev.weir.internal.guard.ControllableStore.Behaviour;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** FAULTS 47: what one of two instances hands out on its own, at a clock moved by hand. */
@Timeout(60)
final class LocalFallbackTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Limit TEN = Limit.fixedWindow(10, HOUR);

  private final ManualTime time = new ManualTime();
  private final ControllableStore store =
      new ControllableStore(MemoryStore.builder().time(time).build());
  private final RecordingListener listener = new RecordingListener();
  private final LocalFallbackStore fallback =
      new LocalFallbackStore(
          store,
          store,
          claim -> store.behaviour != Behaviour.ANSWERS,
          OptionalInt.of(2),
          time,
          GuardEvents.of(listener));

  static Stream<Limit> tenPerHour() {
    return Stream.of(
        Limit.tokenBucket(10, HOUR),
        Limit.fixedWindow(10, HOUR),
        Limit.fixedWindow(10, HOUR).fromFirstUse(),
        Limit.slidingWindow(10, HOUR),
        Limit.slidingLog(10, HOUR));
  }

  @AfterEach
  void close() {
    fallback.close();
  }

  @ParameterizedTest
  @MethodSource("tenPerHour")
  void allOutagesOfAWindowTogetherHandOutOneShare(Limit limit) {
    RateLimiter limiter = limiter(limit);
    int admitted = 0;
    for (int outage = 0; outage < 4; outage++) {
      admitted += admittedLocally(limiter, 3);
      comeBack();
    }
    assertThat(admitted).isEqualTo(5);
    assertThat(limiter.peek("key").remaining()).isEqualTo(5);
  }

  @ParameterizedTest
  @MethodSource("tenPerHour")
  void theNextWindowHasAShareOfItsOwn(Limit limit) {
    RateLimiter limiter = limiter(limit);
    assertThat(admittedLocally(limiter, 20)).isEqualTo(5);
    comeBack();
    time.advance(HOUR.multipliedBy(2));
    assertThat(admittedLocally(limiter, 20)).isEqualTo(5);
  }

  @Test
  void aKeyThatWasOnlyDeniedInOneOutageIsSeededInTheNext() {
    RateLimiter limiter = limiter(TEN);
    limiter.decide("key", 10);
    assertThat(admittedLocally(limiter, 5)).isZero();
    comeBack();
    assertThat(limiter.decide("key").allowed()).isFalse();
    assertThat(admittedLocally(limiter, 5)).isZero();
  }

  @Test
  void aKeyStartsWithLessWhenTheStoreHasSaidSoBetweenTwoOutages() {
    RateLimiter limiter = limiter(TEN);
    assertThat(admittedLocally(limiter, 1)).isEqualTo(1);
    comeBack();
    limiter.decide("key", 7); // two are left in the store, four here
    assertThat(admittedLocally(limiter, 20)).isEqualTo(2);
  }

  @Test
  void whatTheStoreSaidInAWindowThatIsOverDoesNotCount() {
    RateLimiter limiter = limiter(TEN);
    limiter.decide("key", 10);
    time.advance(HOUR);
    assertThat(admittedLocally(limiter, 20)).isEqualTo(5);
  }

  @Test
  void aResetForgetsLocalUse() {
    RateLimiter limiter = limiter(TEN);
    assertThat(admittedLocally(limiter, 20)).isEqualTo(5);
    limiter.reset("key");
    comeBack();
    assertThat(limiter.peek("key").remaining()).isEqualTo(10);
    assertThat(admittedLocally(limiter, 20)).isEqualTo(5);
  }

  @Test
  void whatHasRunOutIsNotCharged() {
    RateLimiter limiter = limiter(TEN);
    assertThat(admittedLocally(limiter, 20)).isEqualTo(5);
    time.advance(HOUR);
    assertThat(admittedLocally(limiter, 3)).isEqualTo(3);
    comeBack();
    assertThat(limiter.peek("key").remaining()).isEqualTo(7);
  }

  @Test
  void aChargeBeyondTheShareIsChargedInFull() {
    RateLimiter limiter = limiter(TEN);
    store.behaviour = Behaviour.FAILS;
    limiter.charge("key", 8);
    comeBack();
    assertThat(limiter.peek("key").remaining()).isEqualTo(2);
  }

  @Test
  void aLimitThatLeavesNothingForAnInstanceIsDenied() {
    RateLimiter limiter = limiter(Limit.fixedWindow(1, HOUR));
    assertThat(admittedLocally(limiter, 5)).isZero();
  }

  @Test
  void anotherKeyHasAShareOfItsOwn() {
    RateLimiter limiter = limiter(TEN);
    assertThat(admittedLocally(limiter, 20)).isEqualTo(5);
    assertThat(limiter.decide("other", 5).allowed()).isTrue();
    Policy other = Policy.of("r", "other", TEN).onStoreFailure(FailurePolicy.LOCAL);
    assertThat(limiter.decide(java.util.List.of(Claim.of(other, "key"))).allowed()).isTrue();
  }

  private int admittedLocally(RateLimiter limiter, int attempts) {
    store.behaviour = Behaviour.FAILS;
    int admitted = 0;
    for (int i = 0; i < attempts; i++) {
      Decision decision = limiter.decide("key");
      assertThat(decision.source()).isEqualTo(Source.FALLBACK);
      admitted += decision.allowed() ? 1 : 0;
    }
    return admitted;
  }

  /** Ends the outage, and waits until the store has been charged. */
  private void comeBack() {
    listener.await("fallback");
    store.behaviour = Behaviour.ANSWERS;
    time.advance(Duration.ofSeconds(1));
    listener.await("fallback", "no fallback");
    listener.events.clear();
  }

  private RateLimiter limiter(Limit limit) {
    Policy policy = Policy.of("r", "ten", limit).onStoreFailure(FailurePolicy.LOCAL);
    return RateLimiter.builder().policy(policy).store(fallback).build();
  }
}
