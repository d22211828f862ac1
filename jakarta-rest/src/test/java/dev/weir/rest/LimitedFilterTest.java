package dev.weir.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import dev.weir.RateLimiter;
import dev.weir.http.HttpAnswer;
import dev.weir.http.HttpLimiter;
import dev.weir.http.KeyResolver;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.Context;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What only the filter has: the binding by name, attributes of the application. */
final class LimitedFilterTest {
  private final HttpClient client = HttpClient.newHttpClient();

  @Test
  void onlyMarkedMethodsAreLimited() throws Exception {
    try (JerseyApplication application = start(KeyResolver.address())) {
      assertThat(get(application, "/marked").statusCode()).isEqualTo(200);
      assertThat(get(application, "/marked").statusCode()).isEqualTo(429);
      for (int i = 0; i < 3; i++) {
        HttpResponse<String> open = get(application, "/open");
        assertThat(open.statusCode()).isEqualTo(200);
        assertThat(open.headers().firstValue("RateLimit")).isEmpty();
      }
    }
  }

  @Test
  void theApplicationNamesAttributesAndFindsTheAnswer() throws Exception {
    try (JerseyApplication application = start(KeyResolver.attribute("tenant"))) {
      assertThat(get(application, "/marked?tenant=a").body()).isEqualTo("0 left");
      assertThat(get(application, "/marked?tenant=a").statusCode()).isEqualTo(429);
      assertThat(get(application, "/marked?tenant=b").statusCode()).isEqualTo(200);
    }
  }

  private static JerseyApplication start(KeyResolver key) {
    RateLimiter limiter = RateLimiter.of(Limit.tokenBucket(1, Duration.ofMinutes(1)));
    return new JerseyApplication(
        new ServletAddressFilter(HttpLimiter.byKey(key, limiter).build()), new Resource());
  }

  private HttpResponse<String> get(JerseyApplication application, String target)
      throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(URI.create(application.uri() + target)).build();
    return client.send(request, BodyHandlers.ofString());
  }

  /** One method that is limited, and one that is not. */
  @Path("/")
  public static final class Resource {
    @GET
    @Path("marked")
    @Limited
    public String marked(@Context ContainerRequestContext request) {
      HttpAnswer answer = (HttpAnswer) request.getProperty(LimitedFilter.ANSWER);
      return answer.decision().orElseThrow().remaining() + " left";
    }

    @GET
    @Path("open")
    public String open() {
      return "open";
    }
  }
}
