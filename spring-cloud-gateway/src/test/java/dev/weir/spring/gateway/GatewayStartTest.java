package dev.weir.spring.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.spring.internal.setting.InvalidSettingException;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.cloud.gateway.event.RefreshRoutesEvent;
import org.springframework.cloud.gateway.event.RefreshRoutesResultEvent;
import org.springframework.cloud.gateway.filter.FilterDefinition;
import org.springframework.cloud.gateway.handler.predicate.PredicateDefinition;
import org.springframework.cloud.gateway.route.Route;
import org.springframework.cloud.gateway.route.RouteDefinition;
import org.springframework.cloud.gateway.route.RouteDefinitionWriter;
import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import reactor.core.publisher.Mono;

/** A filter that names no rule is found when the gateway starts, or when the route is added. */
@Tag("slow")
final class GatewayStartTest {
  private static final String WEBFLUX = "spring.cloud.gateway.server.webflux.";
  private static final String WEBMVC = "spring.cloud.gateway.server.webmvc.";
  private static final String[] ONE_RULE = {
    "weir.rules[0].name=orders",
    "weir.rules[0].limits[0].name=orders",
    "weir.rules[0].limits[0].key=key",
    "weir.rules[0].limits[0].limit=1 per minute"
  };

  @ParameterizedTest
  @CsvSource({"WEBFLUX, webflux", "WEBMVC, webmvc"})
  void aFilterThatNamesNoRuleEndsTheStart(GatewayServer server, String name) {
    String prefix = "spring.cloud.gateway.server." + name + ".";
    assertRefused(
        server,
        prefix + "routes[0].filters[1] must name a rule, one of [orders], was ordres",
        route(prefix, "AddRequestHeader=X-A, b", "Weir=ordres"));
  }

  @Test
  void aFilterInTheMapOfRoutesIsChecked() {
    assertRefused(
        GatewayServer.WEBMVC,
        WEBMVC + "routes-map.a.filters[0] must name a rule, one of [orders], was ordres",
        WEBMVC + "routes-map.a.uri=http://127.0.0.1:1",
        WEBMVC + "routes-map.a.predicates[0]=Path=/**",
        WEBMVC + "routes-map.a.filters[0].name=weir",
        WEBMVC + "routes-map.a.filters[0].args.rule=ordres");
  }

  @Test
  void aFilterForAllRoutesIsChecked() {
    assertRefused(
        GatewayServer.WEBFLUX,
        WEBFLUX + "default-filters[0] must name a rule, one of [orders], was ordres",
        WEBFLUX + "default-filters[0]=Weir=ordres");
  }

  @Test
  void theRuleOfTheGatewaysOwnFilterIsChecked() {
    assertRefused(
        GatewayServer.WEBFLUX,
        WEBFLUX
            + "routes[0].filters[0] (weir-rate-limiter.rule of the route a)"
            + " must name a rule, one of [orders], was ordres",
        ownFilter("weir-rate-limiter.rule=ordres"));
  }

  @Test
  void theNumbersOfTheGatewaysOwnFilterAreChecked() {
    assertRefused(
        GatewayServer.WEBFLUX,
        WEBFLUX + "routes[0].filters[0] (burstCapacity of the route a) must be 1 or more, was 0",
        ownFilter("redis-rate-limiter.replenishRate=1", "redis-rate-limiter.burstCapacity=0"));
    assertRefused(
        GatewayServer.WEBFLUX,
        WEBFLUX
            + "routes[0].filters[0] (weir-rate-limiter.rule of the route a) must name a rule, one"
            + " of [orders], or replenishRate must be set instead of it, was empty",
        ownFilter("redis-rate-limiter.burstCapacity=2"));
    assertRefused(
        GatewayServer.WEBFLUX,
        WEBFLUX
            + "routes[0].filters[0] must have the argument weir-rate-limiter.rule or"
            + " redis-rate-limiter.replenishRate, was RequestRateLimiter",
        ownFilter());
  }

  @ParameterizedTest
  @CsvSource({"Weir, rule", "RequestRateLimiter, weir-rate-limiter.rule"})
  void aRouteThatIsAddedLaterIsRefusedAndTheOthersStay(String filter, String argument) {
    List<Throwable> refusals = new CopyOnWriteArrayList<>();
    try (ConfigurableApplicationContext gateway =
        start(GatewayServer.WEBFLUX, route(WEBFLUX, "Weir=orders"))) {
      gateway.addApplicationListener(
          (ApplicationListener<RefreshRoutesResultEvent>)
              event -> {
                if (!event.isSuccess()) {
                  refusals.add(event.getThrowable());
                }
              });
      gateway.getBean(RouteDefinitionWriter.class).save(Mono.just(added(filter, argument))).block();
      gateway.publishEvent(new RefreshRoutesEvent(this));
      assertThat(refusals)
          .singleElement()
          .satisfies(
              refused ->
                  assertThat(refused)
                      .hasMessageEndingWith("must name a rule, one of [orders], was ordres"));
      assertThat(gateway.getBean(RouteLocator.class).getRoutes().collectList().block())
          .extracting(Route::getId)
          .containsExactly("a");
    }
  }

  private static RouteDefinition added(String filter, String argument) {
    FilterDefinition limited = new FilterDefinition();
    limited.setName(filter);
    limited.addArg(argument, "ordres");
    RouteDefinition route = new RouteDefinition();
    route.setId("added");
    route.setUri(URI.create("http://127.0.0.1:1"));
    route.setPredicates(List.of(new PredicateDefinition("Path=/added")));
    route.setFilters(List.of(limited));
    return route;
  }

  private static String[] route(String prefix, String... filters) {
    String[] properties = {
      prefix + "routes[0].id=a",
      prefix + "routes[0].uri=http://127.0.0.1:1",
      prefix + "routes[0].predicates[0]=Path=/**"
    };
    String[] all = Arrays.copyOf(properties, properties.length + filters.length);
    for (int i = 0; i < filters.length; i++) {
      all[properties.length + i] = prefix + "routes[0].filters[" + i + "]=" + filters[i];
    }
    return all;
  }

  private static String[] ownFilter(String... arguments) {
    String filter = WEBFLUX + "routes[0].filters[0].";
    return Stream.of(
            Arrays.stream(route(WEBFLUX)),
            Stream.of(filter + "name=RequestRateLimiter"),
            Arrays.stream(arguments)
                .map(argument -> filter + "args[" + argument.replace("=", "]=")))
        .flatMap(properties -> properties)
        .toArray(String[]::new);
  }

  private static void assertRefused(GatewayServer server, String message, String... properties) {
    assertThatThrownBy(() -> start(server, properties).close())
        .isInstanceOf(InvalidSettingException.class)
        .hasMessage(message);
  }

  private static ConfigurableApplicationContext start(GatewayServer server, String... properties) {
    String[] all =
        Stream.concat(Arrays.stream(ONE_RULE), Arrays.stream(properties)).toArray(String[]::new);
    return server.start(server == GatewayServer.WEBFLUX ? WebFlux.class : WebMvc.class, all);
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class WebMvc {}

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import(ClientKeys.class)
  static class WebFlux {}
}
