package dev.weir.spring.gateway;

import java.util.Arrays;
import java.util.stream.Stream;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** The two servers of the gateway. Both are on the class path of the tests; one is switched off. */
enum GatewayServer {
  WEBFLUX(
      WebApplicationType.REACTIVE,
      "spring.autoconfigure.exclude="
          + "org.springframework.cloud.gateway.server.mvc.GatewayServerMvcAutoConfiguration,"
          + "org.springframework.cloud.gateway.server.mvc.filter.FilterAutoConfiguration,"
          + "org.springframework.cloud.gateway.server.mvc.handler.HandlerFunctionAutoConfiguration,"
          + "org.springframework.cloud.gateway.server.mvc.predicate.PredicateAutoConfiguration"),
  WEBMVC(WebApplicationType.SERVLET, "spring.cloud.gateway.server.webflux.enabled=false");

  private final WebApplicationType type;
  private final String withoutTheOther;

  GatewayServer(WebApplicationType type, String withoutTheOther) {
    this.type = type;
    this.withoutTheOther = withoutTheOther;
  }

  /**
   * Starts a gateway on a free port of loopback.
   *
   * @param properties {@code name=value}
   */
  ConfigurableApplicationContext start(Class<?> beans, String... properties) {
    String[] arguments =
        Stream.concat(
                Stream.of(
                    withoutTheOther,
                    "server.port=0",
                    "server.address=127.0.0.1",
                    "spring.main.banner-mode=off",
                    "logging.level.root=warn"),
                Arrays.stream(properties))
            .map(property -> "--" + property)
            .toArray(String[]::new);
    return new SpringApplicationBuilder(beans).web(type).run(arguments);
  }

  static String uri(ConfigurableApplicationContext gateway) {
    return "http://127.0.0.1:" + gateway.getEnvironment().getProperty("local.server.port");
  }
}
