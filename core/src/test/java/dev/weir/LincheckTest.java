package dev.weir;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever threads do at once over the memory store, the answers are those of some order of it.
 *
 * <p>Lincheck makes up small programs of the operations below, runs them in many interleavings, by
 * chance and by its model checker, and looks for an order that explains all answers.
 */
final class LincheckTest {
  /** Long, because a program that a busy machine stops for a while has not hung. */
  private static final long HUNG_AFTER_MILLIS = 300_000;

  @ParameterizedTest
  @ValueSource(
      classes = {OnTokenBucket.class, OnSlidingWindow.class, OnFixedWindow.class, OnLog.class})
  void answersUnderStressAreThoseOfSomeOrder(Class<?> operations) {
    new StressOptions()
        .iterations(Boolean.getBoolean("weir.all-rounds") ? 6 : 3)
        .invocationsPerIteration(1_000)
        .threads(3)
        .actorsPerThread(3)
        .actorsBefore(1)
        .actorsAfter(1)
        .invocationTimeout$lincheck(HUNG_AFTER_MILLIS)
        .check(operations);
  }

  @Tag("slow")
  @ParameterizedTest
  @ValueSource(
      classes = {OnTokenBucket.class, OnSlidingWindow.class, OnFixedWindow.class, OnLog.class})
  void answersInAllSmallInterleavingsAreThoseOfSomeOrder(Class<?> operations) {
    new ModelCheckingOptions()
        .loopBound(500)
        .iterations(3)
        .invocationsPerIteration(60)
        .threads(2)
        .actorsPerThread(2)
        .actorsBefore(1)
        .actorsAfter(1)
        .invocationTimeout$lincheck(HUNG_AFTER_MILLIS)
        .check(operations);
  }

  /** A key starts with 3 permits; the clock stands still, so none come back. */
  @Param(name = "key", gen = IntGen.class, conf = "0:1")
  @Param(name = "permits", gen = IntGen.class, conf = "1:3")
  public abstract static class Operations {
    private final Policy policy;
    private final RateLimiter limiter;

    Operations(Limit limit) {
      policy = Policy.of("lincheck", "limit", limit);
      limiter = RateLimiter.builder().policy(policy).time(new Frozen()).build();
      limiter.tryAcquire("other"); // the one tick of a clock that stands still: no sweep later
    }

    @Operation
    public boolean tryAcquire(@Param(name = "key") int key, @Param(name = "permits") int permits) {
      return limiter.tryAcquire("key-" + key, permits);
    }

    @Operation
    public String decide(@Param(name = "key") int key) {
      return text(limiter.decide("key-" + key));
    }

    @Operation
    public String decideBoth(@Param(name = "permits") int permits) {
      return text(limiter.decide(both(permits)));
    }

    @Operation
    public String peekBoth() {
      return text(limiter.peek(both(1)));
    }

    @Operation
    public String peek(@Param(name = "key") int key) {
      return text(limiter.peek("key-" + key));
    }

    @Operation
    public String charge(@Param(name = "key") int key, @Param(name = "permits") int permits) {
      return text(limiter.charge("key-" + key, permits));
    }

    @Operation
    public void refund(@Param(name = "key") int key, @Param(name = "permits") int permits) {
      limiter.refund("key-" + key, permits);
    }

    @Operation
    public void reset(@Param(name = "key") int key) {
      limiter.reset("key-" + key);
    }

    private List<Claim> both(int permits) {
      return List.of(new Claim(policy, "key-1", permits), new Claim(policy, "key-0", 1));
    }

    private static String text(Decision decision) {
      return decision + ", retry after " + decision.retryAfter();
    }
  }

  public static class OnTokenBucket extends Operations {
    public OnTokenBucket() {
      super(Limit.tokenBucket(3, Duration.ofSeconds(1)));
    }
  }

  public static class OnSlidingWindow extends Operations {
    public OnSlidingWindow() {
      super(Limit.slidingWindow(3, Duration.ofSeconds(1)));
    }
  }

  public static class OnFixedWindow extends Operations {
    public OnFixedWindow() {
      super(Limit.fixedWindow(3, Duration.ofSeconds(1)));
    }
  }

  public static class OnLog extends Operations {
    public OnLog() {
      super(Limit.slidingLog(3, Duration.ofSeconds(1)));
    }
  }

  private static final class Frozen implements TimeSource {
    @Override
    public long nowMicros() {
      return 1_500_000;
    }

    @Override
    public CompletionStage<Void> after(Duration wait) {
      return new CompletableFuture<>();
    }
  }
}
