package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The memory store stays small under a flood of keys, and gives nothing away for it. */
@Tag("slow")
final class MemoryBoundTest {
  private static final int FLOOD = 1_000_000;
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final long MIB = 1 << 20;
  private static final long MAX_BYTES = 512 * MIB;

  private final ManualTime time = new ManualTime();
  private final Random random = new Random(7);
  private MemoryStore store;

  static Stream<Limit> limits() {
    return Stream.of(
        Limit.tokenBucket(5, SECOND),
        Limit.fixedWindow(5, SECOND),
        Limit.slidingWindow(5, SECOND),
        Limit.slidingLog(5, SECOND));
  }

  @AfterEach
  void close() {
    store.close();
    assertThat(store.keys()).as("closing releases everything").isZero();
  }

  @ParameterizedTest
  @MethodSource("limits")
  void aFloodKeepsOnlyTheKeysThatAreStillInUse(Limit limit) {
    open(Long.MAX_VALUE);
    RateLimiter limiter = limiter(limit, FailurePolicy.ERROR);
    long most = 0;
    for (int i = 0; i < FLOOD; i++) {
      limiter.tryAcquire(Long.toHexString(random.nextLong()));
      time.advanceMicros(100); // 10,000 keys a second, in use for at most two
      most = Math.max(most, store.keys());
    }
    assertThat(most).isBetween(2_000L, 50_000L);
  }

  @Test
  void theCapHoldsInAFlood() {
    open(10_000);
    RateLimiter limiter = limiter(Limit.tokenBucket(5, SECOND), FailurePolicy.ERROR);
    for (int i = 0; i < FLOOD; i++) {
      assertThat(limiter.tryAcquire(Long.toHexString(random.nextLong()))).isTrue();
      if (store.keys() > 10_000) {
        throw new AssertionError(store.keys() + " keys");
      }
    }
    assertThat(store.keys()).isEqualTo(10_000);
  }

  @Test
  void exhaustedKeysOutlastAnyFlood() {
    open(1_000);
    RateLimiter limiter = limiter(Limit.tokenBucket(2, SECOND), FailurePolicy.ALLOW);
    for (int i = 0; i < 500; i++) {
      assertThat(limiter.tryAcquire("exhausted-" + i, 2)).isTrue();
    }
    for (int i = 0; i < FLOOD / 10; i++) {
      limiter.tryAcquire(Long.toHexString(random.nextLong()));
    }
    for (int i = 0; i < 500; i++) {
      assertThat(limiter.tryAcquire("exhausted-" + i)).isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"ALLOW", "DENY"})
  void whenAllAreExhaustedTheFailurePolicyAnswers(FailurePolicy policy) {
    RateLimiter limiter = fullOfExhaustedKeys(policy);
    boolean allows = policy == FailurePolicy.ALLOW;
    assertThat(limiter.tryAcquire("one more")).isEqualTo(allows);
    Decision decision = limiter.decide("one more");
    assertThat(decision.allowed()).isEqualTo(allows);
    assertThat(decision.source()).isEqualTo(Source.FALLBACK);
    assertThat(decision.receipt()).isEmpty();
    assertThat(limiter.decide("key-1").source()).isEqualTo(Source.STORE);
    assertThat(limiter.peek("one more").source())
        .as("reading needs no room")
        .isEqualTo(Source.STORE);
    assertThat(store.keys()).isEqualTo(20);
  }

  @Test
  void whenAllAreExhaustedTheCallerIsToldIfThePolicyIsError() {
    RateLimiter limiter = fullOfExhaustedKeys(FailurePolicy.ERROR);
    String message = "the memory store is full (20 keys) and every sampled key is exhausted";
    assertThatThrownBy(() -> limiter.tryAcquire("one more"))
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessage(message);
    assertThatThrownBy(() -> limiter.decide("one more"))
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessage(message);
    assertThat(limiter.async().decide("one more"))
        .as("a stage fails, the call does not")
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .withCauseInstanceOf(StoreUnavailableException.class);
    assertThat(store.keys()).isEqualTo(20);
  }

  @Test
  void aFullStoreHasRoomAgainWhenKeysRefill() {
    RateLimiter limiter = fullOfExhaustedKeys(FailurePolicy.DENY);
    time.advance(SECOND);
    for (int i = 0; i < 20; i++) {
      assertThat(limiter.tryAcquire("new-" + i, 3)).isTrue();
    }
  }

  @Test
  void aLimitThatFailsGivesBackWhatTheOthersTook() {
    open(20);
    Policy wide = Policy.of("r", "a-wide", Limit.tokenBucket(1_000, SECOND));
    Policy full = policy(Limit.tokenBucket(3, SECOND), FailurePolicy.DENY);
    RateLimiter both =
        RateLimiter.builder().policy(wide).policy(full).store(store).time(time).build();
    RateLimiter wideAlone = RateLimiter.builder().policy(wide).store(store).time(time).build();
    wideAlone.tryAcquire("one more", 10);
    RateLimiter fullAlone = limiter(full.limit(), FailurePolicy.DENY);
    for (int i = 0; i < 19; i++) {
      fullAlone.tryAcquire("key-" + i, 3);
    }
    assertThat(both.decide("one more", 2).deniedBy().map(Outcome::policy)).contains(full);
    assertThat(wideAlone.peek("one more").remaining()).isEqualTo(990);
  }

  @Test
  void memoryComesBackThroughALittleTrafficOnOneOtherKey() {
    open(Long.MAX_VALUE);
    RateLimiter limiter = limiter(Limit.tokenBucket(5, SECOND), FailurePolicy.ERROR);
    for (int i = 0; i < FLOOD; i++) {
      limiter.tryAcquire(Long.toHexString(random.nextLong()));
    }
    assertThat(store.keys()).isEqualTo(FLOOD);
    time.advance(Duration.ofHours(1));
    int decisions = 0;
    while (store.keys() > 1 && decisions < FLOOD / 32) {
      limiter.tryAcquire("other");
      time.advance(Duration.ofMillis(100));
      decisions++;
    }
    assertThat(store.keys()).as("after %d decisions", decisions).isEqualTo(1);
  }

  @Test
  void longKeysAreKeptAsDigestsOfOneLength() {
    open(Long.MAX_VALUE);
    RateLimiter limiter = limiter(Limit.tokenBucket(1, SECOND), FailurePolicy.ERROR);
    String longest = "k".repeat(60_000);
    assertThat(limiter.tryAcquire(longest + "a")).isTrue();
    assertThat(limiter.tryAcquire(longest + "b")).isTrue();
    assertThat(limiter.tryAcquire(longest + "a")).isFalse();
    assertThat(limiter.peek(longest + "a").remaining())
        .as("every way to the key finds the same digest")
        .isZero();
    assertThat(limiter.decide(longest + "b").outcomes().get(0).claim().key())
        .hasSize(41)
        .startsWith("#");
    assertThat(limiter.tryAcquire("k".repeat(256))).isTrue();
    assertThat(limiter.decide("k".repeat(256)).outcomes().get(0).claim().key()).hasSize(256);
  }

  @Test
  void keysAreBoundedInBytesToo() {
    store = MemoryStore.builder().maxBytes(MIB).time(time).build();
    RateLimiter limiter = limiter(Limit.tokenBucket(5, SECOND), FailurePolicy.ERROR);
    for (int i = 0; i < 10_000; i++) {
      limiter.tryAcquire(i + "\u20ac".repeat(200));
    }
    assertThat(store.keys()).as("each takes over 500 bytes").isBetween(1_500L, 2_000L);
    for (int i = 0; i < 20_000; i++) {
      limiter.tryAcquire("key-" + i);
    }
    assertThat(store.keys()).as("each takes about 150 bytes").isBetween(6_000L, 7_600L);
  }

  @Test
  void logsAreCountedWithTheBytesTheyTake() {
    store = MemoryStore.builder().maxBytes(MIB).time(time).build();
    RateLimiter limiter = limiter(Limit.slidingLog(5, SECOND), FailurePolicy.ERROR);
    for (int i = 0; i < 10_000; i++) {
      limiter.tryAcquire("key-" + i);
    }
    assertThat(store.keys()).as("each takes about 300 bytes").isBetween(2_500L, 3_600L);
  }

  @Test
  void aLogThatGrowsNeedsRoomAndGivesItBack() {
    store = MemoryStore.builder().maxBytes(MIB).time(time).build();
    RateLimiter limiter = limiter(Limit.slidingLog(1_000_000, SECOND), FailurePolicy.DENY);
    long admitted = 0;
    for (int i = 0; i < 100_000; i++) {
      admitted += (i % 2 == 0 ? limiter.tryAcquire("a") : limiter.decide("a").allowed()) ? 1 : 0;
      time.advanceMicros(1);
    }
    assertThat(admitted).as("sixteen bytes each").isBetween(MIB / 64, MIB / 16);
    assertThat(store.warnings()).hasSize(1);
    assertThat(limiter.decide("a").source()).isEqualTo(Source.FALLBACK);
    time.advance(SECOND);
    assertThat(limiter.decide("a").source()).as("all entries have expired").isEqualTo(Source.STORE);
    limiter.reset("a");
    assertThat(store.fill()).isZero();
  }

  @Test
  void aLongLogThatCannotGrowPushesNobodyOut() {
    store = MemoryStore.builder().maxBytes(MIB).time(time).build();
    RateLimiter log = limiter(Limit.slidingLog(1_000_000, SECOND), FailurePolicy.DENY);
    Policy quiet = Policy.of("quiet", "limit", Limit.tokenBucket(5, Duration.ofDays(1)));
    RateLimiter other = RateLimiter.builder().policy(quiet).store(store).time(time).build();
    for (int i = 0; i < 3_000; i++) {
      assertThat(other.tryAcquire("early-" + i)).isTrue();
    }
    while (log.tryAcquire("long")) {
      time.advanceMicros(1);
    }
    assertThat(store.forgottenKeys()).isZero();
    assertThat(store.refusedKeys()).isPositive();
  }

  @Test
  void aFullLogDeniesWithoutRoomToGrow() {
    store = MemoryStore.builder().maxBytes(400).time(time).build();
    RateLimiter limiter = limiter(Limit.slidingLog(4, SECOND), FailurePolicy.ALLOW);
    for (int i = 0; i < 4; i++) {
      assertThat(limiter.tryAcquire("key")).isTrue();
      time.advanceMicros(1);
    }
    assertThat(limiter.tryAcquire("key")).as("no permit is left, and no entry is made").isFalse();
    assertThat(limiter.decide("key").source()).isEqualTo(Source.STORE);
  }

  @Test
  @Timeout(60)
  void aStoreSmallerThanASampleMakesRoom() {
    open(3);
    RateLimiter limiter = limiter(Limit.tokenBucket(5, Duration.ofDays(1)), FailurePolicy.ERROR);
    for (int i = 0; i < 100; i++) {
      assertThat(limiter.tryAcquire("key-" + i)).isTrue();
    }
    assertThat(store.keys()).isEqualTo(3);
  }

  @Test
  void theDefaultFollowsTheHeap() {
    store = MemoryStore.builder().time(time).build();
    RateLimiter limiter = limiter(Limit.tokenBucket(1, SECOND), FailurePolicy.DENY);
    assertThat(limiter.tryAcquire("key")).isTrue();
    assertThat(store.toString()).contains(Runtime.getRuntime().maxMemory() / 2 / MIB + " MiB");
  }

  @Test
  void aFullStoreSaysSoUntilItHasHadRoomForAWhile() {
    RateLimiter limiter = fullOfExhaustedKeys(FailurePolicy.ALLOW);
    assertThat(store.warnings()).isEmpty();
    assertThat(store.fill()).isCloseTo(1, within(1e-9));
    limiter.tryAcquire("one more");
    assertThat(store.refusedKeys()).isPositive();
    assertThat(store.warnings())
        .singleElement()
        .asString()
        .startsWith(
            "the memory store is full (20 keys, 512 MiB): 0 partly used keys forgotten and");
    time.advance(Duration.ofMinutes(1));
    limiter.tryAcquire("key-1");
    assertThat(store.warnings()).isEmpty();
  }

  @Test
  void keysForgottenToMakeRoomAreCounted() {
    open(20);
    RateLimiter limiter = limiter(Limit.tokenBucket(3, Duration.ofDays(1)), FailurePolicy.ERROR);
    for (int i = 0; i < 21; i++) {
      limiter.tryAcquire("key-" + i);
    }
    assertThat(store.forgottenKeys()).isEqualTo(1);
    assertThat(store.warnings()).hasSize(1);
  }

  private RateLimiter fullOfExhaustedKeys(FailurePolicy policy) {
    open(20);
    RateLimiter limiter = limiter(Limit.tokenBucket(3, SECOND), policy);
    for (int i = 0; i < 20; i++) {
      assertThat(limiter.tryAcquire("key-" + i, 3)).isTrue();
    }
    return limiter;
  }

  private void open(long maxKeys) {
    store = MemoryStore.builder().maxKeys(maxKeys).maxBytes(MAX_BYTES).time(time).build();
  }

  private RateLimiter limiter(Limit limit, FailurePolicy onFailure) {
    Policy policy = policy(limit, onFailure);
    return RateLimiter.builder().policy(policy).store(store).time(time).build();
  }

  private static Policy policy(Limit limit, FailurePolicy onFailure) {
    return Policy.of("r", "limit", limit).onStoreFailure(onFailure);
  }
}
