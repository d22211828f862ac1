package dev.weir.redis;

import static org.assertj.core.api.Assertions.catchThrowable;

import dev.weir.CalendarUnit;
import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.Policy;
import dev.weir.Receipt;
import dev.weir.StoreUnavailableException;
import dev.weir.spi.LimitStore;
import dev.weir.spi.Operation;
import dev.weir.spi.Question;
import dev.weir.spi.Verdict;
import dev.weir.spi.Verdicts;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Asks a store about one policy, and keeps how long the slowest answer took. */
final class Asking {
  /** Far more than any timeout in these tests: who waits this long hangs. */
  private static final long HANGS_SECONDS = 30;

  final LimitStore store;
  final Policy policy;
  private long longestNanos;
  private int asked;

  Asking(LimitStore store, Policy policy) {
    this.store = store;
    this.policy = policy;
  }

  static Asking about(LimitStore store, Limit limit) {
    return new Asking(store, Policy.of("rule", nameOf(limit), limit));
  }

  /** Every kind of limit, so that each has its own name. */
  static Stream<Limit> limits(long permits, Duration period) {
    return Stream.of(
        Limit.tokenBucket(permits, period),
        Limit.fixedWindow(permits, period),
        Limit.fixedWindow(permits, period).fromFirstUse(),
        Limit.fixedWindow(permits, CalendarUnit.MONTH, ZoneOffset.UTC),
        Limit.slidingWindow(permits, period),
        Limit.slidingLog(permits, period));
  }

  static String nameOf(Limit limit) {
    return limit instanceof Limit.FixedWindow fixed
        ? fixed.window().getClass().getSimpleName()
        : limit.algorithm().name();
  }

  Verdict take(String key, long permits) {
    return await(send(Operation.ACQUIRE, key, permits)).each().get(0);
  }

  Verdict peek(String key, long permits) {
    return await(send(Operation.PEEK, key, permits)).each().get(0);
  }

  Verdict charge(String key, long permits) {
    return await(send(Operation.CHARGE, key, permits)).each().get(0);
  }

  Verdict refund(String key, long permits) {
    return await(store.refund(Receipt.undated(claims(key, permits)))).each().get(0);
  }

  void reset(String key) {
    await(store.reset(claims(key, 1)));
  }

  CompletableFuture<Verdicts> send(Operation operation, String key, long permits) {
    return store.decide(new Question(operation, claims(key, permits))).toCompletableFuture();
  }

  CompletableFuture<Verdicts> send(String key, long permits) {
    return send(Operation.ACQUIRE, key, permits);
  }

  /** The failure of a call that must fail. */
  StoreUnavailableException failure(Runnable call) {
    return (StoreUnavailableException) catchThrowable(call::run);
  }

  StoreUnavailableException failureOfTake(String key) {
    return failure(() -> take(key, 1));
  }

  Duration longest() {
    return Duration.ofNanos(longestNanos);
  }

  int asked() {
    return asked;
  }

  <T> T await(CompletionStage<T> answer) {
    long start = System.nanoTime();
    try {
      return answer.toCompletableFuture().orTimeout(HANGS_SECONDS, TimeUnit.SECONDS).join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof StoreUnavailableException known ? known : e;
    } finally {
      asked++;
      longestNanos = Math.max(longestNanos, System.nanoTime() - start);
    }
  }

  private List<Claim> claims(String key, long permits) {
    return List.of(new Claim(policy, key, permits));
  }
}
