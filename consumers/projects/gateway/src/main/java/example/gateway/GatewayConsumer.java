package example.gateway;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** A gateway with one limited route to a server of this process. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class GatewayConsumer {
  public static void main(String[] arguments) throws IOException, InterruptedException {
    HttpServer upstream =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    upstream.createContext("/", exchange -> exchange.sendResponseHeaders(200, -1));
    upstream.start();
    SpringApplication application = new SpringApplication(GatewayConsumer.class);
    String route = "spring.cloud.gateway.server.webmvc.routes[0].";
    application.setDefaultProperties(
        Map.ofEntries(
            Map.entry("spring.main.banner-mode", "off"),
            Map.entry("logging.level.root", "warn"),
            Map.entry("server.port", "0"),
            Map.entry(route + "id", "orders"),
            Map.entry(route + "uri", "http://127.0.0.1:" + upstream.getAddress().getPort()),
            Map.entry(route + "predicates[0]", "Path=/orders/**"),
            Map.entry(route + "filters[0]", "Weir=orders"),
            Map.entry("weir.rules[0].name", "orders"),
            Map.entry("weir.rules[0].when.path", "/never"),
            Map.entry("weir.rules[0].limits[0].name", "route"),
            Map.entry("weir.rules[0].limits[0].key", "route"),
            Map.entry("weir.rules[0].limits[0].limit", "1 per day")));
    try (ConfigurableApplicationContext context = application.run()) {
      String port = context.getEnvironment().getRequiredProperty("local.server.port");
      URI orders = URI.create("http://127.0.0.1:" + port + "/orders/1");
      System.out.println(status(orders) + " " + status(orders));
    } finally {
      upstream.stop(0);
    }
  }

  private static int status(URI uri) throws IOException, InterruptedException {
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(uri).build(), BodyHandlers.discarding())
        .statusCode();
  }
}
