package dev.weir.micrometer;

import dev.weir.Claim;
import dev.weir.Receipt;
import dev.weir.spi.ForwardingLimitStore;
import dev.weir.spi.LimitStore;
import dev.weir.spi.Question;
import dev.weir.spi.Verdicts;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Measures how long a store takes to answer. Its fast path is not measured: it takes less time than
 * measuring it.
 */
final class TimedStore extends ForwardingLimitStore {
  private static final Duration[] BUCKETS =
      java.util.stream.LongStream.of(
              100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000,
              1_000_000)
          .mapToObj(micros -> Duration.of(micros, java.time.temporal.ChronoUnit.MICROS))
          .toArray(Duration[]::new);

  private final Latency decide;
  private final Latency refund;
  private final Latency reset;

  TimedStore(LimitStore store, MeterRegistry registry) {
    super(store);
    decide = new Latency(registry, "decide");
    refund = new Latency(registry, "refund");
    reset = new Latency(registry, "reset");
  }

  @Override
  public CompletionStage<Verdicts> decide(Question question) {
    long start = System.nanoTime();
    CompletionStage<Verdicts> answer = store().decide(question);
    return decide.measured(start, answer, TimedStore::isWhole);
  }

  @Override
  public CompletionStage<Verdicts> refund(Receipt receipt) {
    long start = System.nanoTime();
    return refund.measured(start, store().refund(receipt), TimedStore::isWhole);
  }

  @Override
  public CompletionStage<Void> reset(List<Claim> claims) {
    long start = System.nanoTime();
    return reset.measured(start, store().reset(claims), done -> true);
  }

  /** Whether every claim was answered: a store says of single claims that they failed. */
  private static boolean isWhole(@Nullable Verdicts verdicts) {
    if (verdicts == null) {
      return false; // a foreign store's mistake, which its caller is to see
    }
    for (int i = 0; i < verdicts.each().size(); i++) {
      if (verdicts.each().get(i).isFailure()) {
        return false;
      }
    }
    return true;
  }

  /** The histograms of one kind of call. */
  private static final class Latency {
    private final Timer answered;
    private final Timer failed;

    Latency(MeterRegistry registry, String call) {
      answered = timer(registry, call, "answered");
      failed = timer(registry, call, "failed");
    }

    private static Timer timer(MeterRegistry registry, String call, String result) {
      return Timer.builder("weir.store.latency")
          .description("How long the store took to answer, or to fail")
          .tags("call", call, "result", result)
          .serviceLevelObjectives(BUCKETS)
          .register(registry);
    }

    <T> CompletionStage<T> measured(
        long startNanos, CompletionStage<T> answer, Predicate<T> isAnswer) {
      CompletableFuture<T> future = answer.toCompletableFuture();
      if (future.isDone() && !future.isCompletedExceptionally()) {
        record(startNanos, isAnswer.test(future.join()));
        return answer;
      }
      return answer.whenComplete(
          (value, failure) -> record(startNanos, failure == null && isAnswer.test(value)));
    }

    private void record(long startNanos, boolean isAnswered) {
      (isAnswered ? answered : failed).record(System.nanoTime() - startNanos, TimeUnit.NANOSECONDS);
    }
  }
}
