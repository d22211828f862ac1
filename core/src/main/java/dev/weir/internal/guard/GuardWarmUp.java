package dev.weir.internal.guard;

import dev.weir.Claim;
import dev.weir.FailurePolicy;
import dev.weir.Limit;
import dev.weir.MemoryStore;
import dev.weir.Policy;
import dev.weir.internal.guard.GuardPipeline.Settings;
import dev.weir.spi.ForwardingLimitStore;
import dev.weir.spi.Operation;
import dev.weir.spi.Question;
import dev.weir.spi.Verdicts;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;

/**
 * Runs the guards through an outage of a simulated store, so that the first real outage does not
 * wait for classes to be loaded and threads to be started. Changes no state and logs nothing.
 */
public final class GuardWarmUp {
  private static final int CALLS = 40;
  private static final int ROUNDS = 5;
  private static final Duration DEADLINE = Duration.ofMillis(1);
  private static final Policy POLICY =
      Policy.of("warm-up", "local", Limit.fixedWindow(1000, Duration.ofHours(1)))
          .onStoreFailure(FailurePolicy.LOCAL);

  private GuardWarmUp() {}

  /** Takes some milliseconds; returns when every call was answered. */
  public static void run() {
    Settings settings =
        new Settings(DEADLINE, CALLS * 2, Duration.ofSeconds(1), CALLS, OptionalInt.of(1));
    SilentStore silent = new SilentStore();
    try (GuardPipeline pipeline = GuardPipeline.around(silent, settings, GuardEvents.none())) {
      for (int round = 0; round < ROUNDS; round++) { // the breaker opens in the second one
        callAll(pipeline);
      }
      silent.answers = true; // so that closing has nothing to wait for
    }
  }

  private static void callAll(GuardPipeline pipeline) {
    IntStream.range(0, CALLS)
        .mapToObj(i -> new Question(Operation.ACQUIRE, List.of(Claim.of(POLICY, "key-" + i))))
        .map(question -> pipeline.decide(question).toCompletableFuture())
        .toList()
        .forEach(CompletableFuture::join);
  }

  /** Does not answer until {@code answers} is set. */
  private static final class SilentStore extends ForwardingLimitStore {
    private volatile boolean answers;

    SilentStore() {
      super(MemoryStore.create());
    }

    @Override
    public CompletionStage<Verdicts> decide(Question question) {
      return answers ? super.decide(question) : new CompletableFuture<>();
    }
  }
}
