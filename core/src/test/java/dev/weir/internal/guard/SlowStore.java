package dev.weir.internal.guard;

import dev.weir.Claim;
import dev.weir.ManualTime;
import dev.weir.Receipt;
import dev.weir.StoreUnavailableException;
import dev.weir.spi.ForwardingLimitStore;
import dev.weir.spi.LeaseAnswer;
import dev.weir.spi.LimitStore;
import dev.weir.spi.Question;
import dev.weir.spi.Verdicts;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * A store behind a network of a hand-moved clock: requests and answers take time, overtake each
 * other, and answers get lost. Not safe for many threads.
 */
final class SlowStore extends ForwardingLimitStore {
  private final ManualTime time;
  private final Random random;
  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private final int longestMicros;
  private final double lostAnswers;
  int calls;
  private int order;

  private record Event(long at, int order, Runnable action) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      return at == other.at ? Integer.compare(order, other.order) : Long.compare(at, other.at);
    }
  }

  SlowStore(
      LimitStore store, ManualTime time, Random random, int longestMicros, double lostAnswers) {
    super(store);
    this.time = time;
    this.random = random;
    this.longestMicros = longestMicros;
    this.lostAnswers = lostAnswers;
  }

  /** Does what is due at the time it is now. */
  void run() {
    while (!events.isEmpty() && events.peek().at <= time.nowMicros()) {
      events.poll().action.run();
    }
  }

  @Override
  public CompletionStage<Verdicts> decide(Question question) {
    return later(() -> store().decide(question));
  }

  @Override
  public CompletionStage<LeaseAnswer> lease(Question question, int times) {
    return later(() -> store().lease(question, times));
  }

  @Override
  public CompletionStage<Verdicts> refund(Receipt receipt) {
    return later(() -> store().refund(receipt));
  }

  @Override
  public CompletionStage<Void> reset(List<Claim> claims) {
    return later(() -> store().reset(claims));
  }

  @Override
  public void close() {} // the store inside is shared

  private <T> CompletionStage<T> later(Supplier<CompletionStage<T>> call) {
    calls++;
    CompletableFuture<T> answer = new CompletableFuture<>();
    after(
        () -> {
          T value = call.get().toCompletableFuture().join();
          boolean lost = random.nextDouble() < lostAnswers;
          after(
              () -> {
                if (lost) {
                  answer.completeExceptionally(new StoreUnavailableException("lost"));
                } else {
                  answer.complete(value);
                }
              });
        });
    return answer;
  }

  private void after(Runnable action) {
    events.add(new Event(time.nowMicros() + random.nextInt(longestMicros), order++, action));
  }
}
