package dev.weir.spring;

import dev.weir.rules.LiveRules;
import dev.weir.rules.RuleSet;
import dev.weir.spi.LimitStore;
import dev.weir.testkit.HttpIntegrationContract;
import dev.weir.testkit.SwitchableStore;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** A Spring Boot application on a free port of loopback, and a client for it. */
final class RunningApplication implements AutoCloseable {
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private final ConfigurableApplicationContext context;

  private RunningApplication(ConfigurableApplicationContext context) {
    this.context = context;
  }

  /**
   * @param properties {@code name=value}
   */
  static RunningApplication start(WebApplicationType type, Class<?> source, String... properties) {
    String[] arguments =
        Stream.concat(
                Stream.of(
                    "server.port=0",
                    "server.address=127.0.0.1",
                    "spring.main.banner-mode=off",
                    "logging.level.root=warn"),
                Arrays.stream(properties))
            .map(property -> "--" + property)
            .toArray(String[]::new);
    return new RunningApplication(new SpringApplicationBuilder(source).web(type).run(arguments));
  }

  /** The same application with the rules and the store of one test of the contract. */
  HttpIntegrationContract.Application with(HttpIntegrationContract.Setup setup) {
    use(setup.rules(), setup.store());
    bean(HandledRequests.class).notify(setup.handled());
    return new HttpIntegrationContract.Application() {
      @Override
      public URI uri() {
        return RunningApplication.this.uri();
      }

      @Override
      public void close() {} // the next test goes on with it
    };
  }

  /** Replaces the rules and the store. */
  void use(String rules, LimitStore store) {
    bean(LiveRules.class).replace(RuleSet.parse("test", rules));
    bean(SwitchableStore.class).use(store);
  }

  <T> T bean(Class<T> type) {
    return context.getBean(type);
  }

  URI uri() {
    return URI.create(
        "http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port"));
  }

  /**
   * @param fields names and values, in turn
   */
  HttpResponse<String> get(String target, String... fields) {
    return send("GET", target, fields);
  }

  HttpResponse<String> send(String method, String target, String... fields) {
    return later(method, target, fields).join();
  }

  CompletableFuture<HttpResponse<String>> getLater(String target) {
    return later("GET", target);
  }

  private CompletableFuture<HttpResponse<String>> later(
      String method, String target, String... fields) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(uri() + target))
            .method(method, BodyPublishers.noBody())
            .timeout(Duration.ofSeconds(60));
    if (fields.length > 0) {
      request.headers(fields);
    }
    return CLIENT.sendAsync(request.build(), BodyHandlers.ofString());
  }

  @Override
  public void close() {
    context.close();
  }
}
