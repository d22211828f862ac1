package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each policy is sure of its part of a memory store, whatever floods the others. */
@Tag("slow")
final class MemoryPartsTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final long MAX_BYTES = 512L << 20;

  private final ManualTime time = new ManualTime();
  private MemoryStore store;

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void aFloodOfOnePolicyLeavesTheOthersTheirKeysAndTheirRoom() {
    open(10_000);
    RateLimiter flooded = limiter(Limit.tokenBucket(1, Duration.ofDays(1)), FailurePolicy.ALLOW);
    Policy quiet = Policy.of("quiet", "limit", Limit.tokenBucket(5, Duration.ofDays(1)));
    RateLimiter other = RateLimiter.builder().policy(quiet).store(store).time(time).build();
    for (int i = 0; i < 300; i++) {
      assertThat(other.tryAcquire("early-" + i, 4)).isTrue();
    }
    for (int i = 0; i < 50_000; i++) {
      flooded.tryAcquire("flood-" + i);
    }
    for (int i = 0; i < 300; i++) {
      assertThat(other.tryAcquire("early-" + i, 2)).as("only one permit is left").isFalse();
    }
    for (int i = 0; i < 300; i++) {
      assertThat(other.decide("late-" + i, 5).source()).isEqualTo(Source.STORE);
      assertThat(other.tryAcquire("late-" + i)).isFalse();
    }
    assertThat(store.keys()).isLessThanOrEqualTo(10_000);
  }

  @Test
  void aPolicyKeepsItsPartOfTheStoreInAFloodOfAnother() {
    open(10_000);
    RateLimiter flooded = limiter(Limit.tokenBucket(1, Duration.ofDays(1)), FailurePolicy.ALLOW);
    Policy quiet = Policy.of("quiet", "limit", Limit.tokenBucket(5, Duration.ofDays(1)));
    RateLimiter other = RateLimiter.builder().policy(quiet).store(store).time(time).build();
    for (int i = 0; i < 2_000; i++) {
      assertThat(other.tryAcquire("early-" + i, 4)).isTrue();
    }
    for (int i = 0; i < 50_000; i++) {
      flooded.tryAcquire("flood-" + i);
    }
    for (int i = 0; i < 5_000; i++) {
      assertThat(other.decide("late-" + i).source()).isEqualTo(Source.STORE);
    }
    for (int i = 0; i < 2_000; i++) {
      assertThat(other.tryAcquire("early-" + i, 2)).as("only one permit is left").isFalse();
    }
  }

  @Test
  void aPolicyThatComesToAFullStoreFindsRoom() {
    open(10_000);
    RateLimiter flooded = limiter(Limit.tokenBucket(1, Duration.ofDays(1)), FailurePolicy.ALLOW);
    for (int i = 0; i < 50_000; i++) {
      flooded.tryAcquire("flood-" + i);
    }
    Policy late = Policy.of("late", "limit", Limit.tokenBucket(5, Duration.ofDays(1)));
    RateLimiter other = RateLimiter.builder().policy(late).store(store).time(time).build();
    for (int i = 0; i < 700; i++) {
      assertThat(other.decide("late-" + i, 5).source()).isEqualTo(Source.STORE);
    }
    assertThat(store.keys()).isLessThanOrEqualTo(11_428);
  }

  @Test
  void policiesWithoutKeysTakeNoPart() {
    open(1_000);
    for (int i = 0; i < 100; i++) {
      Policy unused = Policy.of("unused-" + i, "limit", Limit.tokenBucket(5, SECOND));
      RateLimiter.builder().policy(unused).store(store).time(time).build().peek("key");
    }
    RateLimiter limiter = limiter(Limit.tokenBucket(1, Duration.ofDays(1)), FailurePolicy.DENY);
    for (int i = 0; i < 1_000; i++) {
      assertThat(limiter.tryAcquire("key-" + i)).isTrue();
    }
  }

  @Test
  void twoFloodsTogetherLeaveAThirdPolicyItsPart() {
    open(12_000);
    List<RateLimiter> limiters = new ArrayList<>();
    for (String name : List.of("a", "b", "quiet")) {
      Policy policy = Policy.of(name, "limit", Limit.tokenBucket(5, Duration.ofDays(1)));
      limiters.add(RateLimiter.builder().policy(policy).store(store).time(time).build());
      limiters.get(limiters.size() - 1).tryAcquire("first", 5);
    }
    for (int i = 0; i < 20_000; i++) {
      limiters.get(i % 2).tryAcquire("flood-" + i, 5);
    }
    for (int i = 0; i < 1_900; i++) {
      assertThat(limiters.get(2).decide("late-" + i, 5).source()).isEqualTo(Source.STORE);
    }
    assertThat(store.keys()).isLessThanOrEqualTo(12_000);
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
