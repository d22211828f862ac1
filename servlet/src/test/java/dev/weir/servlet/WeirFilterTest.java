package dev.weir.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import dev.weir.MemoryStore;
import dev.weir.RateLimiter;
import dev.weir.http.HttpAnswer;
import dev.weir.http.HttpLimiter;
import dev.weir.http.KeyResolver;
import dev.weir.spi.ForwardingLimitStore;
import dev.weir.spi.Question;
import dev.weir.spi.Verdicts;
import jakarta.servlet.Filter;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/**
 * What only the filter has: attributes of the application, several filters, no thread that waits.
 */
final class WeirFilterTest {
  private final HttpClient client = HttpClient.newHttpClient();

  @Test
  void theApplicationNamesAttributesAndFindsTheAnswer() throws Exception {
    AtomicReference<HttpAnswer> seen = new AtomicReference<>();
    WeirFilter filter =
        WeirFilter.builder(onePerMinuteBy(KeyResolver.attribute("tenant")))
            .attribute("tenant", request -> request.getParameter("tenant"))
            .build();
    Filter reader =
        (request, response, chain) ->
            filter.doFilter(
                request,
                response,
                (passed, out) -> {
                  seen.set((HttpAnswer) passed.getAttribute(WeirFilter.ANSWER));
                  chain.doFilter(passed, out);
                });
    try (TomcatApplication application = new TomcatApplication(reader, () -> {})) {
      assertThat(get(application, "/x?tenant=a").statusCode()).isEqualTo(200);
      assertThat(seen.get().decision().orElseThrow().remaining()).isZero();
      assertThat(get(application, "/x?tenant=a").statusCode()).isEqualTo(429);
      assertThat(get(application, "/x?tenant=b").statusCode()).isEqualTo(200);
      assertThat(get(application, "/x").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void theFieldsOfSeveralFiltersStandSideBySide() throws Exception {
    WeirFilter outer = WeirFilter.of(onePerMinuteBy(KeyResolver.path()));
    WeirFilter inner = WeirFilter.of(onePerMinuteBy(KeyResolver.address()));
    Filter both =
        (request, response, chain) ->
            outer.doFilter(request, response, (on, out) -> inner.doFilter(on, out, chain));
    try (TomcatApplication application = new TomcatApplication(both, () -> {})) {
      assertThat(get(application, "/a").headers().allValues("RateLimit"))
          .isEqualTo(List.of("\"limit-1\";r=0;t=60, \"limit-1\";r=0;t=60"));
      assertThat(get(application, "/b").statusCode()).isEqualTo(429);
    }
  }

  @Test
  void noThreadWaitsForTheStore() throws Exception {
    HeldStore store = new HeldStore();
    RateLimiter limiter =
        RateLimiter.builder()
            .name("held")
            .limit("minute", Limit.tokenBucket(1, Duration.ofMinutes(1)))
            .store(store)
            .build();
    KeyResolver heldOnly = request -> "/held".equals(request.get("path")) ? "key" : null;
    WeirFilter filter =
        WeirFilter.builder(HttpLimiter.byKey(heldOnly, limiter).build()).async().build();
    try (TomcatApplication application = new TomcatApplication(filter, () -> {}, 1)) {
      CompletableFuture<HttpResponse<String>> held =
          client.sendAsync(request(application, "/held"), BodyHandlers.ofString());
      assertThat(store.asked.await(30, TimeUnit.SECONDS)).isTrue();
      assertThat(get(application, "/free").statusCode()).isEqualTo(200);
      assertThat(held).isNotDone();
      store.release.complete(null);
      assertThat(held.get(30, TimeUnit.SECONDS).body()).isEqualTo("passed");
    }
  }

  private static HttpLimiter onePerMinuteBy(KeyResolver key) {
    return HttpLimiter.byKey(key, RateLimiter.of(Limit.tokenBucket(1, Duration.ofMinutes(1))))
        .build();
  }

  private HttpResponse<String> get(TomcatApplication application, String target)
      throws IOException, InterruptedException {
    return client.send(request(application, target), BodyHandlers.ofString());
  }

  private static HttpRequest request(TomcatApplication application, String target) {
    return HttpRequest.newBuilder(URI.create(application.uri() + target))
        .timeout(Duration.ofSeconds(30))
        .build();
  }

  /** Answers when it is released. */
  private static final class HeldStore extends ForwardingLimitStore {
    final CountDownLatch asked = new CountDownLatch(1);
    final CompletableFuture<Void> release = new CompletableFuture<>();

    HeldStore() {
      super(MemoryStore.builder().build());
    }

    @Override
    public CompletionStage<Verdicts> decide(Question question) {
      asked.countDown();
      return release.thenCompose(released -> super.decide(question));
    }
  }
}
