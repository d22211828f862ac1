package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Many threads, one key, a clock that stands still: the counts must come out to the permit. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class RaceTest {
  private static final int THREADS = 16;
  private static final int SHARE = Boolean.getBoolean("weir.all-rounds") ? 1 : 4;
  private static final int ATTEMPTS = 1_000_000 / THREADS / SHARE;
  private static final long LIMIT = 400_003 / SHARE;
  private static final long BEFORE = 100_000 / SHARE;
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final ManualTime time = new ManualTime();
  private final MemoryStore store = MemoryStore.builder().time(time).build();
  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS, RaceTest::daemon);

  /** Threads that lock each other up must not keep the build from ending. */
  private static Thread daemon(Runnable run) {
    Thread thread = new Thread(run);
    thread.setDaemon(true);
    return thread;
  }

  private interface Attempt {
    long admitted(int thread, int attempt);
  }

  static Stream<Limit> limits() {
    return Stream.of(
        Limit.tokenBucket(LIMIT, MINUTE),
        Limit.fixedWindow(LIMIT, MINUTE),
        Limit.fixedWindow(LIMIT, MINUTE).fromFirstUse(),
        Limit.slidingWindow(LIMIT, MINUTE),
        Limit.slidingLog(LIMIT, MINUTE));
  }

  @AfterEach
  void close() {
    threads.shutdownNow();
    store.close();
  }

  @ParameterizedTest
  @MethodSource("limits")
  void tryAcquireAdmitsExactlyTheLimit(Limit limit) throws Exception {
    RateLimiter limiter = limiter(limit);
    assertThat(race((thread, attempt) -> one(limiter.tryAcquire("key")))).isEqualTo(LIMIT);
  }

  @ParameterizedTest
  @MethodSource("limits")
  void decideAdmitsExactlyTheLimit(Limit limit) throws Exception {
    RateLimiter limiter = limiter(limit);
    assertThat(race((thread, attempt) -> one(limiter.decide("key").allowed()))).isEqualTo(LIMIT);
  }

  @ParameterizedTest
  @MethodSource("limits")
  void bothWaysTogetherAdmitExactlyTheLimit(Limit limit) throws Exception {
    RateLimiter limiter = limiter(limit);
    long admitted =
        race(
            (thread, attempt) ->
                thread % 2 == 0
                    ? one(limiter.tryAcquire("key"))
                    : 3 * one(limiter.decide("key", 3).allowed()));
    assertThat(admitted).isEqualTo(LIMIT - limiter.decide("key").remaining()).isGreaterThan(0);
    assertThat(limiter.decide("key", 3).allowed()).isFalse();
  }

  @Test
  void severalLimitsTakeTogetherAndTheTightestDecides() throws Exception {
    RateLimiter limiter =
        limiter(
            Limit.tokenBucket(LIMIT, MINUTE),
            Limit.slidingWindow(LIMIT + 5, MINUTE),
            Limit.slidingLog(LIMIT + 7, MINUTE),
            Limit.fixedWindow(LIMIT + 9, MINUTE));
    assertThat(race((thread, attempt) -> one(limiter.tryAcquire("key")))).isEqualTo(LIMIT);
    assertThat(limiter.peek("key").outcomes())
        .extracting(Outcome::remaining)
        .containsExactly(0L, 5L, 7L, 9L);
  }

  @Test
  void keysHeldInOppositeOrderNeitherLockUpNorTakeByHalves() throws Exception {
    RateLimiter limiter = limiter(Limit.tokenBucket(LIMIT, MINUTE));
    Policy policy = policy(0, Limit.tokenBucket(LIMIT, MINUTE));
    limiter.tryAcquire("b", BEFORE);
    List<Claim> forth = claims(policy, "a", "b", "c");
    List<Claim> back = claims(policy, "c", "b", "a");
    long admitted =
        race((thread, i) -> one(limiter.decide(thread % 2 == 0 ? forth : back).allowed()));
    assertThat(admitted).isEqualTo(LIMIT - BEFORE);
    assertThat(limiter.peek("a").remaining()).isEqualTo(BEFORE);
    assertThat(limiter.peek("b").remaining()).isZero();
    assertThat(limiter.peek("c").remaining()).isEqualTo(BEFORE);
  }

  @Test
  void keysThatComeAndGoAreCountedOnce() throws Exception {
    RateLimiter limiter = limiter(Limit.tokenBucket(1, MINUTE));
    long admitted = race((thread, attempt) -> takeAndGiveBack(limiter, "key-" + attempt % 3));
    assertThat(admitted).isPositive();
    assertThat(store.keys()).isZero();
    assertThat(limiter.tryAcquire("key-0")).isTrue();
    assertThat(store.keys()).isEqualTo(1);
  }

  /** While a thread has the only permit nobody else can have it, so giving it back must work. */
  private static long takeAndGiveBack(RateLimiter limiter, String key) {
    Decision decision = limiter.decide(key);
    if (decision.allowed()) {
      if (limiter.tryAcquire(key)) {
        throw new AssertionError("the only permit of " + key + " was given twice");
      }
      limiter.refund(decision);
    }
    return one(decision.allowed());
  }

  private long race(Attempt attempt) throws Exception {
    CyclicBarrier start = new CyclicBarrier(THREADS);
    List<Callable<Long>> racers = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      int thread = i;
      racers.add(() -> run(start, thread, attempt));
    }
    long admitted = 0;
    for (Future<Long> each : threads.invokeAll(racers, 50, TimeUnit.SECONDS)) {
      admitted += each.get();
    }
    return admitted;
  }

  private static long run(CyclicBarrier start, int thread, Attempt attempt) throws Exception {
    start.await();
    long admitted = 0;
    for (int i = 0; i < ATTEMPTS; i++) {
      admitted += attempt.admitted(thread, i);
    }
    return admitted;
  }

  private RateLimiter limiter(Limit... limits) {
    RateLimiter.Builder builder = RateLimiter.builder().store(store).time(time);
    for (int i = 0; i < limits.length; i++) {
      builder.policy(policy(i, limits[i]));
    }
    return builder.build();
  }

  private static Policy policy(int number, Limit limit) {
    return Policy.of("race", "limit-" + number, limit);
  }

  private static List<Claim> claims(Policy policy, String... keys) {
    return Stream.of(keys).map(key -> Claim.of(policy, key)).toList();
  }

  private static long one(boolean admitted) {
    return admitted ? 1 : 0;
  }
}
