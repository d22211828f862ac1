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
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;

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
    return decide.of(() -> store().decide(question), TimedStore::isWhole);
  }

  @Override
  public CompletionStage<Verdicts> refund(Receipt receipt) {
    return refund.of(() -> store().refund(receipt), TimedStore::isWhole);
  }

  @Override
  public CompletionStage<Void> reset(List<Claim> claims) {
    return reset.of(() -> store().reset(claims), done -> true);
  }

  /** Whether every claim was answered: a store says of single claims that they failed. */
  private static boolean isWhole(Verdicts verdicts) {
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

    <T> CompletionStage<T> of(Supplier<CompletionStage<T>> call, Predicate<T> isAnswer) {
      long start = System.nanoTime();
      return call.get()
          .whenComplete(
              (answer, failure) ->
                  (failure == null && isAnswer.test(answer) ? answered : failed)
                      .record(System.nanoTime() - start, TimeUnit.NANOSECONDS));
    }
  }
}
