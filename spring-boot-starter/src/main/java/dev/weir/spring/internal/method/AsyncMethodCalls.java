package dev.weir.spring.internal.method;

import dev.weir.spring.RateLimitedException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.reactivestreams.Publisher;
import org.springframework.core.ReactiveAdapter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Calls of methods that return a stage or a reactive type. The decision blocks no thread. If it is
 * known at once, the call continues on the caller's thread; otherwise on a thread of the
 * application, never on one of the store.
 */
final class AsyncMethodCalls {
  private final Supplier<Executor> executor;

  /**
   * @param executor runs methods that return a stage, if their decision comes later; looked up when
   *     it is needed
   */
  AsyncMethodCalls(Supplier<Executor> executor) {
    this.executor = executor;
  }

  /** The result of a method that returns a stage, or its failure. */
  CompletableFuture<Object> stage(LimitedCall call) {
    CompletableFuture<Optional<RateLimitedException>> decided =
        call.decideLater().toCompletableFuture();
    return decided.isDone()
        ? decided.thenCompose(denial -> stage(call, denial))
        : decided.thenComposeAsync(denial -> stage(call.copy(), denial), executor.get());
  }

  @SuppressWarnings("unchecked") // of a method that returns a stage
  private static CompletionStage<Object> stage(
      LimitedCall call, Optional<RateLimitedException> denial) {
    try {
      CompletionStage<Object> result = (CompletionStage<Object>) call.answer(denial);
      return result == null ? CompletableFuture.completedFuture(null) : result;
    } catch (Throwable failed) {
      return CompletableFuture.failedFuture(failed);
    }
  }

  /** The result of a method that returns a reactive type, decided at each subscription. */
  Object publisher(ReactiveAdapter adapter, LimitedCall call) {
    return adapter.fromPublisher(
        adapter.isMultiValue()
            ? Flux.defer(() -> decided(call).flatMapMany(denial -> publish(adapter, call, denial)))
            : Mono.defer(
                () -> decided(call).flatMap(denial -> Mono.from(publish(adapter, call, denial)))));
  }

  private static Mono<Optional<RateLimitedException>> decided(LimitedCall call) {
    CompletableFuture<Optional<RateLimitedException>> decided =
        call.decideLater().toCompletableFuture();
    Mono<Optional<RateLimitedException>> result = Mono.fromFuture(decided, true);
    return decided.isDone() ? result : result.publishOn(Schedulers.parallel());
  }

  private static Publisher<Object> publish(
      ReactiveAdapter adapter, LimitedCall call, Optional<RateLimitedException> denial) {
    try {
      return adapter.toPublisher(call.copy().answer(denial));
    } catch (Throwable failed) {
      return Mono.error(failed);
    }
  }
}
