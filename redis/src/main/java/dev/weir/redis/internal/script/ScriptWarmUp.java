package dev.weir.redis.internal.script;

import dev.weir.CalendarUnit;
import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.Policy;
import dev.weir.spi.Operation;
import dev.weir.spi.Question;
import dev.weir.spi.Verdicts;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Makes some decisions before the first request: a fresh JVM needs hundreds of milliseconds to load
 * the classes of this path, which is longer than the deadlines of callers. It only peeks, so it
 * writes nothing. It also measures the round trip time.
 */
public final class ScriptWarmUp {
  private static final Duration LONGEST = Duration.ofSeconds(1);
  private static final int ROUNDS = 20;
  private static final int AT_ONCE = 16;
  private static final String RULE = "weir-warm-up";
  private static final Duration PERIOD = Duration.ofSeconds(1);

  private static final List<Policy> POLICIES =
      List.of(
          Policy.of(RULE, "bucket", Limit.tokenBucket(1, PERIOD)),
          Policy.of(RULE, "window", Limit.fixedWindow(1, PERIOD)),
          Policy.of(RULE, "day", Limit.fixedWindow(1, CalendarUnit.DAY, ZoneOffset.UTC)),
          Policy.of(RULE, "sliding", Limit.slidingWindow(1, PERIOD)),
          Policy.of(RULE, "log", Limit.slidingLog(1, PERIOD)));

  private final Function<Question, CompletionStage<Verdicts>> decide;
  private final AtomicBoolean begun = new AtomicBoolean();

  public ScriptWarmUp(Function<Question, CompletionStage<Verdicts>> decide) {
    this.decide = decide;
  }

  /** Begins unless it has begun before; a failure ends it and is ignored. */
  public CompletableFuture<Void> begin() {
    if (!begun.compareAndSet(false, true)) {
      return CompletableFuture.completedFuture(null);
    }
    return rounds(ROUNDS)
        .thenCompose(
            done ->
                CompletableFuture.allOf(
                    IntStream.range(0, AT_ONCE)
                        .mapToObj(this::peek)
                        .toArray(CompletableFuture<?>[]::new)));
  }

  /** Begins and waits for the end, but not for long. */
  public void beginAndWait() {
    try {
      begin().get(LONGEST.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException slowOrFailed) {
      // ignored: users' calls will report the failure
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private CompletableFuture<Void> rounds(int left) {
    return left == 0
        ? CompletableFuture.completedFuture(null)
        : peek(left).thenCompose(verdicts -> rounds(left - 1));
  }

  private CompletableFuture<Verdicts> peek(int number) {
    List<Claim> claims =
        POLICIES.stream().map(policy -> Claim.of(policy, "warm-up-" + number)).toList();
    return decide.apply(new Question(Operation.PEEK, claims)).toCompletableFuture();
  }
}
