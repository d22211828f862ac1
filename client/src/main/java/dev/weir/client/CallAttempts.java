package dev.weir.client;

import dev.weir.internal.CompletionFailures;
import dev.weir.internal.schedule.Callbacks;
import dev.weir.internal.schedule.Scheduler;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;

/**
 * Sends one call, and again if its connection breaks, all within one deadline.
 *
 * <p>Whether a call whose connection broke has taken permits is unknown. All attempts of a check
 * carry the same {@code Idempotency-Key}, so that the service answers a repeated one as the first.
 */
final class CallAttempts {
  private final HttpClient http;
  private final URI url;
  private final String body;
  private final long deadlineNanos;
  private final Duration deadline;
  private final Optional<String> id;

  /**
   * @param id the same for all attempts; empty for calls that the service does not repeat answers
   *     to
   */
  CallAttempts(HttpClient http, URI url, String body, Duration deadline, Optional<String> id) {
    this.id = id;
    this.http = http;
    this.url = url;
    this.body = body;
    this.deadline = deadline;
    this.deadlineNanos = System.nanoTime() + deadline.toNanos();
  }

  /**
   * @param retries further attempts after the first
   */
  CompletableFuture<HttpResponse<String>> send(int retries) {
    CompletableFuture<HttpResponse<String>> answer = attempt(retries);
    Future<?> timer =
        Scheduler.after(
            deadline,
            Callbacks.EXECUTOR,
            () -> answer.completeExceptionally(new TimeoutException("no answer by the deadline")));
    answer.whenComplete((response, failure) -> timer.cancel(false));
    return answer;
  }

  private CompletableFuture<HttpResponse<String>> attempt(int retries) {
    Duration left = Duration.ofNanos(Math.max(1, deadlineNanos - System.nanoTime()));
    HttpRequest.Builder request =
        HttpRequest.newBuilder(url)
            .timeout(left)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body));
    id.ifPresent(one -> request.header("Idempotency-Key", one));
    return http.sendAsync(request.build(), BodyHandlers.ofString())
        .handle((response, failure) -> again(response, failure, retries))
        .thenCompose(next -> next);
  }

  private CompletableFuture<HttpResponse<String>> again(
      HttpResponse<String> response, Throwable failure, int retries) {
    if (failure == null) {
      return CompletableFuture.completedFuture(response);
    }
    boolean hasTime = System.nanoTime() < deadlineNanos;
    return retries > 0 && hasTime && isBroken(failure)
        ? attempt(retries - 1)
        : CompletableFuture.failedFuture(failure);
  }

  private static boolean isBroken(Throwable failure) {
    Throwable cause = CompletionFailures.unwrap(failure);
    return cause instanceof IOException && !(cause instanceof HttpTimeoutException);
  }
}
