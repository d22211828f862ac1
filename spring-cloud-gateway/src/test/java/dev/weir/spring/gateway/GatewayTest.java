package dev.weir.spring.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.ManualTime;
import dev.weir.MemoryStore;
import dev.weir.spi.LimitStore;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Real gateways in front of a real server, configured in YAML alone. */
final class GatewayTest {
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private static final AtomicInteger HANDLED = new AtomicInteger();
  private static final Upstream UPSTREAM = Upstream.start(HANDLED::incrementAndGet);

  private static final Map<GatewayServer, ConfigurableApplicationContext> STARTED =
      new EnumMap<>(GatewayServer.class);

  @BeforeAll
  static void start() {
    STARTED.put(GatewayServer.WEBFLUX, start(GatewayServer.WEBFLUX, WebFlux.class));
    STARTED.put(GatewayServer.WEBMVC, start(GatewayServer.WEBMVC, WebMvc.class));
  }

  private static ConfigurableApplicationContext start(GatewayServer server, Class<?> beans) {
    return server.start(
        beans, "spring.config.location=classpath:gateway.yaml", "upstream=" + UPSTREAM.uri());
  }

  @AfterAll
  static void stop() {
    STARTED.values().forEach(ConfigurableApplicationContext::close);
    UPSTREAM.close();
  }

  @ParameterizedTest
  @EnumSource
  void aRouteIsLimitedByARuleWithTheWholeRequest(GatewayServer server) {
    int before = HANDLED.get();
    HttpResponse<String> first = get(server, "/orders/1", "X-Client", "a");
    assertThat(first.statusCode()).isEqualTo(200);
    assertThat(first.body()).isEqualTo("passed");
    assertThat(first.headers().allValues("RateLimit"))
        .containsExactly("\"client\";r=1;t=30, \"route\";r=4;t=12");
    HttpResponse<String> costly = get(server, "/orders/1", "X-Client", "a", "X-Cost", "2");
    assertThat(costly.statusCode()).isEqualTo(429);
    assertThat(costly.headers().firstValue("Retry-After")).hasValue("30");
    assertThat(costly.headers().firstValue("Content-Type")).hasValue("application/problem+json");
    assertThat(costly.body()).contains("\"violated-policies\":[\"client\"]");
    assertThat(get(server, "/orders/1", "X-Client", "b").headers().allValues("RateLimit"))
        .containsExactly("\"client\";r=1;t=30, \"route\";r=3;t=24");
    assertThat(get(server, "/orders/1", "X-Client", "b", "X-Cost", "x").statusCode())
        .isEqualTo(400);
    assertThat(HANDLED.get() - before).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource
  void otherRoutesAreNotLimited(GatewayServer server) {
    assertThat(get(server, "/nowhere").statusCode()).isEqualTo(404);
  }

  @Test
  void theFilterOfTheGatewayKeepsItsConfiguration() {
    assertThat(get(GatewayServer.WEBFLUX, "/numbers/1", "X-Client", "n").statusCode())
        .isEqualTo(200);
    HttpResponse<String> second = get(GatewayServer.WEBFLUX, "/numbers/1", "X-Client", "n");
    assertThat(second.statusCode()).isEqualTo(200);
    assertThat(second.headers().firstValue("RateLimit")).hasValue("\"numbers\";r=0;t=2");
    HttpResponse<String> denied = get(GatewayServer.WEBFLUX, "/numbers/1", "X-Client", "n");
    assertThat(denied.statusCode()).isEqualTo(429);
    assertThat(denied.headers().firstValue("Retry-After")).hasValue("1");
  }

  @Test
  void theFilterOfTheGatewayMayNameARule() {
    assertThat(get(GatewayServer.WEBFLUX, "/ruled/1", "X-Client", "n").statusCode()).isEqualTo(200);
    assertThat(get(GatewayServer.WEBFLUX, "/ruled/1", "X-Client", "n").statusCode()).isEqualTo(429);
    assertThat(get(GatewayServer.WEBFLUX, "/ruled/1", "X-Client", "m").statusCode()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"deny", "error"})
  void theFilterOfTheGatewayAnswers503WhenTheStoreFails(String failurePolicy) {
    HttpResponse<String> answer =
        get(GatewayServer.WEBFLUX, "/" + failurePolicy + "/1", "X-Client", BrokenKeys.KEY);
    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.headers().firstValue("Retry-After")).hasValue("1");
    assertThat(answer.headers().firstValue("Weir-Source")).hasValue("fallback");
    assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
    assertThat(answer.body()).contains("temporary-reduced-capacity");
  }

  private static HttpResponse<String> get(GatewayServer server, String path, String... fields) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(GatewayServer.uri(STARTED.get(server)) + path))
            .timeout(Duration.ofSeconds(30));
    if (fields.length > 0) {
      request.headers(fields);
    }
    return CLIENT.sendAsync(request.build(), BodyHandlers.ofString()).join();
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class WebMvc {
    @Bean
    LimitStore store() {
      return MemoryStore.builder().time(new ManualTime()).build();
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import(ClientKeys.class)
  static class WebFlux {
    @Bean
    LimitStore store() {
      return new BrokenKeys(MemoryStore.builder().time(new ManualTime()).build());
    }
  }
}
