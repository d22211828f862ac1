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
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.cloud.gateway.filter.ratelimit.KeyResolver;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.publisher.Mono;

/** Real gateways in front of a real server, configured in YAML alone. */
final class GatewayTest {
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private static final Upstream UPSTREAM = Upstream.start();

  /** The two servers of the gateway, each started once. */
  enum Server {
    WEBFLUX(WebApplicationType.REACTIVE, WebFlux.class),
    WEBMVC(WebApplicationType.SERVLET, WebMvc.class);

    private final WebApplicationType type;
    private final Class<?> source;
    private ConfigurableApplicationContext context;

    Server(WebApplicationType type, Class<?> source) {
      this.type = type;
      this.source = source;
    }

    synchronized String uri() {
      if (context == null) {
        context = start();
      }
      return "http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port");
    }

    private ConfigurableApplicationContext start() {
      return new SpringApplicationBuilder(source)
          .web(type)
          .run(
              "--spring.config.location=classpath:gateway.yaml",
              "--upstream=" + UPSTREAM.uri(),
              "--server.port=0",
              "--server.address=127.0.0.1",
              "--spring.main.banner-mode=off",
              "--logging.level.root=warn",
              "--" + withoutTheOther());
    }

    /** Both servers are on the class path of the tests. */
    private String withoutTheOther() {
      String mvc = "org.springframework.cloud.gateway.server.mvc.";
      return this == WEBMVC
          ? "spring.cloud.gateway.server.webflux.enabled=false"
          : "spring.autoconfigure.exclude="
              + mvc
              + "GatewayServerMvcAutoConfiguration,"
              + mvc
              + "filter.FilterAutoConfiguration,"
              + mvc
              + "handler.HandlerFunctionAutoConfiguration,"
              + mvc
              + "predicate.PredicateAutoConfiguration";
    }
  }

  @AfterAll
  static void stop() {
    for (Server server : Server.values()) {
      if (server.context != null) {
        server.context.close();
      }
    }
    UPSTREAM.close();
  }

  @ParameterizedTest
  @EnumSource
  void aRouteIsLimitedByARuleWithTheWholeRequest(Server server) {
    int before = UPSTREAM.handled();
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
    assertThat(UPSTREAM.handled() - before).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource
  void otherRoutesAreNotLimited(Server server) {
    assertThat(get(server, "/nowhere").statusCode()).isEqualTo(404);
  }

  @Test
  void theFilterOfTheGatewayKeepsItsConfiguration() {
    assertThat(get(Server.WEBFLUX, "/numbers/1", "X-Client", "n").statusCode()).isEqualTo(200);
    HttpResponse<String> second = get(Server.WEBFLUX, "/numbers/1", "X-Client", "n");
    assertThat(second.statusCode()).isEqualTo(200);
    assertThat(second.headers().firstValue("RateLimit")).hasValue("\"numbers\";r=0;t=2");
    HttpResponse<String> denied = get(Server.WEBFLUX, "/numbers/1", "X-Client", "n");
    assertThat(denied.statusCode()).isEqualTo(429);
    assertThat(denied.headers().firstValue("Retry-After")).hasValue("1");
  }

  @Test
  void theFilterOfTheGatewayMayNameARule() {
    assertThat(get(Server.WEBFLUX, "/ruled/1", "X-Client", "n").statusCode()).isEqualTo(200);
    assertThat(get(Server.WEBFLUX, "/ruled/1", "X-Client", "n").statusCode()).isEqualTo(429);
    assertThat(get(Server.WEBFLUX, "/ruled/1", "X-Client", "m").statusCode()).isEqualTo(200);
  }

  private static HttpResponse<String> get(Server server, String path, String... fields) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(server.uri() + path)).timeout(Duration.ofSeconds(30));
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
  static class WebFlux {
    @Bean
    NettyReactiveWebServerFactory server() {
      return new NettyReactiveWebServerFactory();
    }

    @Bean
    LimitStore store() {
      return MemoryStore.builder().time(new ManualTime()).build();
    }

    @Bean
    KeyResolver clients() {
      return exchange -> Mono.justOrEmpty(exchange.getRequest().getHeaders().getFirst("X-Client"));
    }
  }
}
