package example.boot;

import dev.weir.spring.RateLimited;
import dev.weir.spring.RateLimitedException;
import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** An application with one limited method, configured by properties. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class BootConsumer {
  /** What is limited. */
  public static class Orders {
    @RateLimited(value = "orders", key = "#p0")
    public void order(String user) {}
  }

  @Bean
  Orders orders() {
    return new Orders();
  }

  public static void main(String[] arguments) {
    SpringApplication application = new SpringApplication(BootConsumer.class);
    application.setDefaultProperties(
        Map.of(
            "spring.main.banner-mode", "off",
            "logging.level.root", "warn",
            "weir.rules[0].name", "orders",
            "weir.rules[0].limits[0].name", "orders",
            "weir.rules[0].limits[0].key", "key",
            "weir.rules[0].limits[0].limit", "1 per day"));
    try (ConfigurableApplicationContext context = application.run()) {
      Orders orders = context.getBean(Orders.class);
      orders.order("ann");
      try {
        orders.order("ann");
      } catch (RateLimitedException denied) {
        System.out.println(denied.getStatusCode().value());
      }
    }
  }
}
