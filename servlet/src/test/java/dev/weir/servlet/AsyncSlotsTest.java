package dev.weir.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.ManualTime;
import dev.weir.MemoryStore;
import dev.weir.Policy;
import dev.weir.RateLimiter;
import dev.weir.http.HttpLimiter;
import dev.weir.http.KeyResolver;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Slots of requests that go on after the filter has returned. The clock stands still: only a
 * release makes a slot free again.
 */
final class AsyncSlotsTest {
  private static final Policy SLOTS =
      Policy.of("requests", "slots", Limit.inFlight(1, Duration.ofSeconds(30)));
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

  private final HttpClient client = HttpClient.newHttpClient();
  private final MemoryStore store = MemoryStore.builder().time(new ManualTime()).build();
  private final CompletableFuture<AsyncContext> started = new CompletableFuture<>();

  /** What an application does with a request that it answers later. */
  private interface AsyncHandler {
    void handle(ServletRequest request, ServletResponse response) throws Exception;
  }

  /** Hands requests to the handler; their later dispatches fail. */
  private TomcatApplication application(AsyncHandler handler) {
    RateLimiter limiter = RateLimiter.builder().store(store).policy(SLOTS).build();
    WeirFilter weir = WeirFilter.of(HttpLimiter.byKey(KeyResolver.everybody(), limiter).build());
    Filter filter =
        (request, response, chain) -> {
          if (request.getDispatcherType() == DispatcherType.ASYNC) {
            throw new IllegalStateException("the dispatch fails");
          }
          weir.doFilter(
              request,
              response,
              (passed, out) -> {
                try {
                  handler.handle(passed, out);
                } catch (Exception failed) {
                  throw new IllegalStateException(failed);
                }
              });
        };
    return new TomcatApplication(filter, () -> {});
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void theSlotIsHeldUntilTheResponseIsComplete() throws Exception {
    try (TomcatApplication application =
        application((request, response) -> started.complete(request.startAsync()))) {
      CompletableFuture<Integer> answer = get(application);
      AsyncContext context = started.join();
      assertThat(free()).isZero();
      context.complete();
      answer.join();
      awaitFree();
    }
  }

  @Test
  void theSlotIsFreeAfterATimeout() throws Exception {
    try (TomcatApplication application =
        application((request, response) -> request.startAsync().setTimeout(50))) {
      assertThat(get(application).join()).isEqualTo(500);
      awaitFree();
    }
  }

  @Test
  void theSlotIsFreeAfterAnError() throws Exception {
    try (TomcatApplication application =
        application((request, response) -> request.startAsync().dispatch())) {
      assertThat(get(application).join()).isEqualTo(500);
      awaitFree();
    }
  }

  private CompletableFuture<Integer> get(TomcatApplication application) {
    HttpRequest request = HttpRequest.newBuilder(URI.create(application.uri() + "/x")).build();
    return client
        .sendAsync(request, BodyHandlers.discarding())
        .thenApply(response -> response.statusCode());
  }

  private long free() {
    return RateLimiter.forClaims(store).peek(List.of(Claim.of(SLOTS, ""))).remaining();
  }

  private void awaitFree() {
    long deadline = System.nanoTime() + LONGEST_WAIT.toNanos();
    while (free() == 0 && System.nanoTime() - deadline < 0) {
      LockSupport.parkNanos(1_000_000);
    }
    assertThat(free()).isEqualTo(1);
  }
}
