package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.spi.LimitStore;
import dev.weir.spi.Question;
import dev.weir.spi.Verdicts;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The limiter's own calls: waiting, bad input, keys of every kind. */
@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class RateLimiterTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);
  private static final long MOST = 9_007_199_254_740_991L;

  private final ManualTime time = new ManualTime();

  static Stream<Limit> limits() {
    return Stream.of(
        Limit.tokenBucket(2, SECOND),
        Limit.fixedWindow(2, SECOND),
        Limit.slidingWindow(2, SECOND),
        Limit.slidingLog(2, SECOND));
  }

  @ParameterizedTest
  @MethodSource("limits")
  void waitingWakesExactlyWhenThePermitsAreThere(Limit limit) {
    RateLimiter limiter = limiter(limit);
    limiter.decide("key", 2);
    Duration wait = limiter.peek("key").retryAfter();
    CompletableFuture<Decision> waiting = acquireAsync(limiter, 1, wait);
    time.advance(wait.minusNanos(1_000));
    assertThat(waiting).isNotDone();
    time.advance(Duration.ofNanos(1_000));
    assertThat(waiting).isCompletedWithValueMatching(Decision::allowed);
    assertThat(time.sleepers()).isZero();
  }

  @Test
  void waitingGivesUpAtOnceWhenItIsHopeless() throws InterruptedException {
    RateLimiter limiter = limiter(Limit.tokenBucket(2, SECOND));
    limiter.decide("key", 2);
    Duration tooShort = Duration.ofMillis(500).minusNanos(1_000);
    assertThat(limiter.acquire("key", 1, tooShort).allowed()).isFalse();
    assertThat(acquireAsync(limiter, 1, tooShort)).isCompletedWithValueMatching(d -> !d.allowed());
    assertThat(limiter.acquire("key", 1, Duration.ZERO).retryAfter())
        .isEqualTo(SECOND.dividedBy(2));
    assertThat(time.sleepers()).isZero();
  }

  @Test
  void waitingForMoreThanTheCapacityGivesUpAtOnceHoweverLongOneMayWait() throws Exception {
    RateLimiter limiter = limiter(Limit.tokenBucket(2, SECOND));
    assertThat(limiter.acquire("key", 3, FOREVER).retryAfter()).isEqualTo(Decision.NEVER);
    assertThat(acquireAsync(limiter, 3, FOREVER)).isCompletedWithValueMatching(d -> !d.allowed());
  }

  @Test
  void whoIsOvertakenWaitsOnWithinItsTime() {
    RateLimiter limiter = limiter(Limit.tokenBucket(2, SECOND));
    limiter.decide("key", 2);
    CompletableFuture<Decision> patient = acquireAsync(limiter, 2, Duration.ofMillis(1_500));
    CompletableFuture<Decision> hasty = acquireAsync(limiter, 2, SECOND);
    time.advance(Duration.ofMillis(500));
    limiter.decide("key", 1);
    time.advance(Duration.ofMillis(500));
    assertThat(hasty).isCompletedWithValueMatching(decision -> !decision.allowed());
    assertThat(patient).isNotDone();
    time.advance(Duration.ofMillis(500));
    assertThat(patient).isCompletedWithValueMatching(Decision::allowed);
  }

  @Test
  void aBlockedThreadWakesWhenThePermitsAreThere() throws Exception {
    RateLimiter limiter = limiter(Limit.tokenBucket(2, SECOND));
    limiter.decide("key", 2);
    FutureTask<Decision> blocked = start(() -> limiter.acquire("key", 2, SECOND));
    awaitSleeper();
    time.advance(SECOND);
    assertThat(blocked.get(10, TimeUnit.SECONDS).allowed()).isTrue();
    assertThat(limiter.peek("key").remaining()).isZero();
  }

  @Test
  void aBlockedThreadCanBeInterruptedAndTakesNothing() throws Exception {
    RateLimiter limiter = limiter(Limit.tokenBucket(2, SECOND));
    limiter.decide("key", 2);
    FutureTask<Decision> blocked = new FutureTask<>(() -> limiter.acquire("key", 2, SECOND));
    Thread thread = new Thread(blocked);
    thread.start();
    awaitSleeper();
    thread.interrupt();
    assertThatThrownBy(() -> blocked.get(10, TimeUnit.SECONDS))
        .hasCauseInstanceOf(InterruptedException.class);
    assertThat(time.sleepers()).as("nobody is left waiting").isZero();
    time.advance(SECOND);
    assertThat(limiter.peek("key").remaining()).isEqualTo(2);
  }

  @Test
  void zeroPermitsAskAndTakeNothing() {
    RateLimiter limiter = limiter(Limit.tokenBucket(2, SECOND));
    assertThat(limiter.tryAcquire("key", 0)).isTrue();
    assertThat(limiter.decide("key", 0).remaining()).isEqualTo(2);
    limiter.decide("key", 2);
    assertThat(limiter.tryAcquire("key", 0)).isTrue();
    assertThat(limiter.decide("key", 0).allowed()).isTrue();
    assertThat(limiter.charge("key", 0).remaining()).isZero();
  }

  @Test
  void negativePermitsAreRefusedEverywhere() {
    RateLimiter limiter = limiter(Limit.tokenBucket(2, SECOND));
    String message = "permits must be 0 or more, was -3";
    refused(message, () -> limiter.tryAcquire("key", -3));
    refused(message, () -> limiter.decide("key", -3));
    refused(message, () -> limiter.peek("key", -3));
    refused(message, () -> limiter.charge("key", -3));
    refused(message, () -> limiter.refund("key", -3));
    refused(message, () -> limiter.acquire("key", -3, SECOND));
    refused(message, () -> limiter.async().acquire("key", -3, SECOND));
    assertThat(limiter.peek("key").remaining()).isEqualTo(2);
  }

  @Test
  void impossibleLimitsAreRefusedWithTheBound() {
    refused(between("permits", 0), () -> Limit.slidingWindow(0, SECOND));
    refused(between("permits", MOST + 1), () -> Limit.fixedWindow(MOST + 1, SECOND));
    refused(between("permits", Long.MAX_VALUE), () -> Limit.slidingLog(Long.MAX_VALUE, SECOND));
    refused(between("permits", 0), () -> Limit.tokenBucket(0, SECOND));
    refused(between("burst", -1), () -> Limit.tokenBucket(1, SECOND).withBurst(-1));
    refused("period must be longer than zero, was 0s", () -> Limit.tokenBucket(1, Duration.ZERO));
    refused(
        "window must be at most 400 days, was 400d1h", () -> Limit.fixedWindow(1, hours(9_601)));
    refused(
        "period must be whole microseconds, was 1us1ns",
        () -> Limit.slidingLog(1, Duration.ofNanos(1_001)));
    refused(
        "capacity must be refilled within 36525 days, was 101 at 1 per 365d6h",
        () -> Limit.tokenBucket(1, hours(8_766)).withBurst(101));
    assertThat(Limit.tokenBucket(1, hours(8_766)).withBurst(100).capacity()).isEqualTo(100);
  }

  @Test
  void incompleteLimitersAreRefused() {
    refused("limits must not be empty", () -> RateLimiter.builder().build());
    refused("name must not be blank, was \" \"", () -> RateLimiter.builder().name(" "));
    refused("maxKeys must be 1 or more, was 0", () -> MemoryStore.builder().maxKeys(0));
    refused(
        "policies must have different names, was a twice",
        () -> RateLimiter.builder().limit("a", limit()).limit("a", limit()).build());
    refused(
        "maxWait must be zero or longer, was -1s",
        () -> limiter(limit()).acquire("k", 1, SECOND.negated()));
    assertThatThrownBy(() -> limiter(limit()).tryAcquire(null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("key must not be null");
  }

  @Test
  void keysOfEveryKindAreDistinct() {
    String long1 = "x".repeat(1 << 20);
    List<String> keys =
        List.of(
            "",
            " ",
            "\0",
            "\n",
            "\r\n",
            "\ud800",
            "\udc00",
            "?",
            "\ufffd",
            "\ud83d\ude00",
            long1,
            long1 + "x",
            "user=x_ip_1",
            "user=x",
            "ip_1",
            "a|b",
            "a",
            "b",
            "{a}",
            "}{",
            "A");
    RateLimiter limiter = limiter(Limit.tokenBucket(1, SECOND));
    assertThat(keys).allMatch(limiter::tryAcquire);
    assertThat(keys).noneMatch(limiter::tryAcquire);
  }

  @Test
  void namesThatReadAlikeTogetherAreDistinct() {
    MemoryStore store = MemoryStore.builder().time(time).build();
    Policy ab = Policy.of("a", "b/c", limit());
    Policy abc = Policy.of("a/b", "c", limit());
    RateLimiter both = RateLimiter.builder().policy(ab).policy(abc).store(store).time(time).build();
    assertThat(both.decide(List.of(Claim.of(ab, "key"))).allowed()).isTrue();
    assertThat(both.decide(List.of(Claim.of(abc, "key"))).allowed()).isTrue();
    assertThat(store.keys()).isEqualTo(2);
  }

  @Test
  void theNameOfALimiterCountsWhereverItIsGiven() {
    MemoryStore store = MemoryStore.builder().time(time).build();
    RateLimiter a =
        RateLimiter.builder().limit("l", limit()).name("a").store(store).time(time).build();
    RateLimiter b =
        RateLimiter.builder().name("b").limit("l", limit()).store(store).time(time).build();
    assertThat(List.of(a, b)).allMatch(limiter -> limiter.tryAcquire("key"));
  }

  @Test
  void waitingWithoutABoundTakesAsLongAsItTakes() throws Exception {
    RateLimiter limiter = limiter(Limit.tokenBucket(1, Duration.ofDays(300)));
    limiter.decide("key");
    CompletableFuture<Decision> waiting = limiter.async().acquire("key", 1).toCompletableFuture();
    time.advance(Duration.ofDays(300).minusSeconds(1));
    assertThat(waiting).isNotDone();
    time.advance(SECOND);
    assertThat(waiting).isCompletedWithValueMatching(Decision::allowed);
    assertThat(limiter.acquire("key", 2).retryAfter()).isEqualTo(Decision.NEVER);
    assertThat(limiter.acquire("another").allowed()).isTrue();
  }

  @Test
  void tryAcquireWithATimeoutSaysWhetherThePermitsCameInTime() throws InterruptedException {
    RateLimiter limiter = limiter(Limit.tokenBucket(2, SECOND));
    assertThat(limiter.tryAcquire("key", 2, Duration.ZERO)).isTrue();
    assertThat(limiter.tryAcquire("key", 1, Duration.ofMillis(499))).isFalse();
    assertThat(limiter.tryAcquire("key", 3, FOREVER)).isFalse();
  }

  @ParameterizedTest
  @MethodSource("limits")
  void upToSoManyTakesWhatIsThere(Limit limit) {
    RateLimiter limiter = limiter(limit);
    assertThat(limiter.acquireUpTo("key", 1)).isEqualTo(1);
    assertThat(limiter.acquireUpTo("key", 5)).isEqualTo(1);
    assertThat(limiter.acquireUpTo("key", 5)).isZero();
    assertThat(limiter.acquireUpTo("other", Long.MAX_VALUE)).isEqualTo(2);
    refused("permits must be 1 or more, was 0", () -> limiter.acquireUpTo("key", 0));
  }

  @Test
  void retryAfterInSecondsIsRoundedUpAndEmptyForNever() {
    RateLimiter limiter = limiter(Limit.tokenBucket(2, Duration.ofMillis(2_500)));
    assertThat(limiter.decide("key", 2).retryAfterSeconds()).hasValue(0);
    assertThat(limiter.decide("key", 1).retryAfterSeconds()).hasValue(2);
    assertThat(limiter.decide("key", 2).retryAfterSeconds()).hasValue(3);
    assertThat(limiter.decide("key", 3).retryAfterSeconds()).isEmpty();
  }

  @Test
  void aLimiterOverAStoreNeedsAName() {
    LimitStore store = new FailingStore(new StoreUnavailableException("away"));
    Limit limit = Limit.tokenBucket(2, SECOND);
    refused(
        "name must be set when a store is given, because limiters of one name share counters",
        () -> RateLimiter.builder().limit("l", limit).store(store).build());
    refused(
        "policy must belong to limiter login, was api/l",
        () -> RateLimiter.builder().name("login").policy(Policy.of("api", "l", limit)).build());
  }

  @Test
  void aLimitCanBeGivenItsFailurePolicyWhereItIsAdded() {
    RateLimiter limiter =
        RateLimiter.builder()
            .limit("l", Limit.tokenBucket(2, SECOND), FailurePolicy.DENY)
            .time(time)
            .build();
    assertThat(limiter.decide("key").outcomes().get(0).policy().onStoreFailure())
        .isEqualTo(FailurePolicy.DENY);
  }

  @Test
  void aClosedLimiterRefusesEveryCall() {
    RateLimiter limiter = limiter(Limit.tokenBucket(2, SECOND));
    limiter.tryAcquire("known");
    limiter.close();
    for (ThrowingCallable call :
        List.<ThrowingCallable>of(
            () -> limiter.tryAcquire("known"),
            () -> limiter.decide("new"),
            () -> limiter.peek("known"),
            () -> limiter.charge("known", 1),
            () -> limiter.refund("known", 1),
            () -> limiter.reset("known"))) {
      assertThatThrownBy(call)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("the store is closed");
    }
  }

  @Test
  void aFailureThatManyCallsShareCollectsNothing() {
    StoreUnavailableException shared = new StoreUnavailableException("away");
    RateLimiter limiter =
        RateLimiter.builder()
            .name("limiter")
            .limit("l", Limit.tokenBucket(2, SECOND), FailurePolicy.ERROR)
            .store(new FailingStore(shared))
            .build();
    for (int i = 0; i < 1_000; i++) {
      assertThatThrownBy(() -> limiter.decide("key"))
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessage("away")
          .cause()
          .isSameAs(shared);
    }
    assertThat(shared.getSuppressed()).isEmpty();
  }

  /** A store that has no answer. */
  private record FailingStore(StoreUnavailableException failure) implements LimitStore {
    @Override
    public CompletionStage<Verdicts> decide(Question question) {
      return CompletableFuture.failedFuture(failure);
    }

    @Override
    public CompletionStage<Verdicts> refund(Receipt receipt) {
      return CompletableFuture.failedFuture(failure);
    }

    @Override
    public CompletionStage<Void> reset(List<Claim> claims) {
      return CompletableFuture.failedFuture(failure);
    }

    @Override
    public void close() {}
  }

  @Test
  void aClockSetBackStandsStill() {
    RateLimiter limiter = limiter(limit());
    time.set(Instant.ofEpochSecond(10));
    assertThat(limiter.tryAcquire("key")).isTrue();
    time.set(Instant.ofEpochSecond(5));
    assertThat(limiter.decide("key").retryAfter()).isEqualTo(SECOND);
    time.set(Instant.ofEpochSecond(11));
    assertThat(limiter.tryAcquire("key")).isTrue();
  }

  private static Limit limit() {
    return Limit.tokenBucket(1, SECOND);
  }

  private static Duration hours(long hours) {
    return Duration.ofHours(hours);
  }

  private static String between(String name, long value) {
    return name + " must be between 1 and " + MOST + ", was " + value;
  }

  private static void refused(String message, ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessage(message);
  }

  private RateLimiter limiter(Limit limit) {
    return RateLimiter.builder().limit("limit", limit).time(time).build();
  }

  private static CompletableFuture<Decision> acquireAsync(
      RateLimiter limiter, long permits, Duration maxWait) {
    return limiter.async().acquire("key", permits, maxWait).toCompletableFuture();
  }

  private static <T> FutureTask<T> start(Callable<T> call) {
    FutureTask<T> task = new FutureTask<>(call);
    new Thread(task).start();
    return task;
  }

  private void awaitSleeper() {
    while (time.sleepers() == 0) {
      Thread.onSpinWait();
    }
  }
}
