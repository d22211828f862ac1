package dev.weir.spring.gateway;

import dev.weir.rules.LiveRules;
import dev.weir.rules.RuleSet;
import dev.weir.testkit.HttpIntegrationContract.Application;
import dev.weir.testkit.HttpIntegrationContract.Setup;
import dev.weir.testkit.SwitchableStore;
import java.net.URI;
import java.util.concurrent.atomic.AtomicReference;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * One gateway for all tests of the contract. The filters of the starter are off, so that the
 * filters of its routes decide alone.
 */
final class ContractGateway implements AutoCloseable {
  private final AtomicReference<Runnable> handled = new AtomicReference<>(() -> {});
  private final Upstream upstream = Upstream.start(() -> handled.get().run());
  private final ConfigurableApplicationContext context;

  ContractGateway(GatewayServer server) {
    Class<?> beans = server == GatewayServer.WEBFLUX ? WebFlux.class : Beans.class;
    context =
        server.start(
            beans,
            "spring.config.location=classpath:contract.yaml",
            "upstream=" + upstream.uri(),
            "weir.web.enabled=false");
  }

  /** The same gateway with the rules and the store of one test. */
  Application with(Setup setup) {
    context.getBean(LiveRules.class).replace(RouteRules.parse(setup.rules()));
    context.getBean(SwitchableStore.class).use(setup.store());
    handled.set(setup.handled());
    return new Application() {
      @Override
      public URI uri() {
        return URI.create(GatewayServer.uri(context));
      }

      @Override
      public void close() {} // the next test goes on with it
    };
  }

  @Override
  public void close() {
    context.close();
    upstream.close();
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Beans {
    /** Has the rules that the routes name. */
    @Bean
    LiveRules rules() {
      RuleSet rules =
          RouteRules.parse(
              "rules: [{name: any, limits: [{name: any, key: ip, limit: 1 per minute}]}]");
      return new LiveRules(rules);
    }

    @Bean
    SwitchableStore store() {
      return new SwitchableStore();
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import({ClientKeys.class, Beans.class})
  static class WebFlux {}
}
