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
import java.util.List;
import java.util.stream.Stream;
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

/** Real gateways in front of a real server, configured by properties alone. */
final class GatewayTest {
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private static final Upstream UPSTREAM = Upstream.start();
  private static final String[] RULES = {
    "weir.rules[0].name=orders",
    "weir.rules[0].when.path=/never",
    "weir.rules[0].limits[0].name=client",
    "weir.rules[0].limits[0].key=header.x-client",
    "weir.rules[0].limits[0].limit=2 per minute",
    "weir.rules[0].limits[0].cost=header.x-cost",
    "weir.rules[0].limits[1].name=route",
    "weir.rules[0].limits[1].key=route",
    "weir.rules[0].limits[1].limit=5 per minute",
    "weir.rules[1].name=keyed",
    "weir.rules[1].limits[0].name=keyed",
    "weir.rules[1].limits[0].key=key",
    "weir.rules[1].limits[0].limit=1 per minute"
  };

  /** The two servers of the gateway, each started once. */
  enum Server {
    WEBFLUX(WebApplicationType.REACTIVE, WebFlux.class, "webflux"),
    WEBMVC(WebApplicationType.SERVLET, WebMvc.class, "webmvc");

    private final WebApplicationType type;
    private final Class<?> source;
    private final String name;
    private ConfigurableApplicationContext context;

    Server(WebApplicationType type, Class<?> source, String name) {
      this.type = type;
      this.source = source;
      this.name = name;
    }

    synchronized String uri() {
      if (context == null) {
        context = start(type, source, routes("Weir=orders"));
      }
      return "http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port");
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

    String[] routes(String filter) {
      String routes = "spring.cloud.gateway.server." + name + ".routes";
      return new String[] {
        routes + "[0].id=orders",
        routes + "[0].uri=" + UPSTREAM.uri(),
        routes + "[0].predicates[0]=Path=/orders/**",
        routes + "[0].filters[0]=" + filter,
        routes + "[1].id=numbers",
        routes + "[1].uri=" + UPSTREAM.uri(),
        routes + "[1].predicates[0]=Path=/numbers/**",
        routes + "[2].id=ruled",
        routes + "[2].uri=" + UPSTREAM.uri(),
        routes + "[2].predicates[0]=Path=/ruled/**",
        withoutTheOther()
      };
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

  private static ConfigurableApplicationContext start(
      WebApplicationType type, Class<?> source, String... routes) {
    String[] arguments =
        Stream.of(
                List.of(
                    "server.port=0",
                    "server.address=127.0.0.1",
                    "spring.main.banner-mode=off",
                    "logging.level.root=warn"),
                List.of(RULES),
                List.of(routes),
                List.of(
                    "spring.cloud.gateway.server.webflux.routes[1].filters[0].name=RequestRateLimiter",
                    "spring.cloud.gateway.server.webflux.routes[1].filters[0].args.redis-rate-limiter.replenishRate=1",
                    "spring.cloud.gateway.server.webflux.routes[1].filters[0].args.redis-rate-limiter.burstCapacity=2",
                    "spring.cloud.gateway.server.webflux.routes[2].filters[0].name=RequestRateLimiter",
                    "spring.cloud.gateway.server.webflux.routes[2].filters[0].args.weir-rate-limiter.rule=keyed"))
            .flatMap(List::stream)
            .filter(
                property ->
                    type == WebApplicationType.REACTIVE || !property.contains("webflux.routes"))
            .map(property -> "--" + property)
            .toArray(String[]::new);
    return new SpringApplicationBuilder(source).web(type).run(arguments);
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
