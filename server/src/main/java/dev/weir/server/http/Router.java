package dev.weir.server.http;

import dev.weir.server.service.SampledLog;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Finds the call that a request is for. */
public final class Router implements Handler<HttpServerRequest> {
  private static final SampledLog LOG = new SampledLog(Router.class);

  private final MeterRegistry registry;
  private final RequestTracker tracker;
  private final Map<String, Map<HttpMethod, Route>> routes = new HashMap<>();
  private final CallMeters unknown;

  public Router(MeterRegistry registry, RequestTracker tracker) {
    this.registry = registry;
    this.tracker = tracker;
    this.unknown = new CallMeters(registry, "unknown");
  }

  private record Route(CallMeters meters, Consumer<Exchange> call) {}

  /**
   * @param path also the name of the call in metrics
   */
  public Router on(HttpMethod method, String path, Consumer<Exchange> call) {
    routes
        .computeIfAbsent(path, fresh -> new HashMap<>())
        .put(method, new Route(new CallMeters(registry, path), call));
    return this;
  }

  @Override
  public void handle(HttpServerRequest request) {
    long nowMillis = System.currentTimeMillis();
    tracker.used(request.connection(), nowMillis);
    Map<HttpMethod, Route> methods = routes.get(request.path());
    Route route = methods == null ? null : route(methods, request.method());
    CallMeters meters = route == null ? unknown : route.meters;
    Exchange exchange = new Exchange(request, meters, tracker, nowMillis);
    tracker
        .hasRoom(); // makes room also for calls that are never shed, at the cost of slow requests
    if (HeadChecks.refuse(exchange)) {
      return;
    }
    if (route != null) {
      call(route, exchange);
    } else if (methods == null) {
      exchange.problem(404, "Not Found", "there is no such call");
    } else {
      request.response().putHeader("Allow", allowed(methods));
      exchange.problem(405, "Method Not Allowed", "this call takes " + allowed(methods));
    }
  }

  /** HEAD asks what GET does, without a body, which the connection leaves out. */
  private static @Nullable Route route(Map<HttpMethod, Route> methods, HttpMethod method) {
    return methods.get(method.equals(HttpMethod.HEAD) ? HttpMethod.GET : method);
  }

  private static void call(Route route, Exchange exchange) {
    try {
      route.call.accept(exchange);
    } catch (BadRequestException why) {
      exchange.refuse(why);
    } catch (RuntimeException bug) {
      failed(exchange, bug);
    }
  }

  /** Logs a bug, at a limited rate; clients see no details of it. */
  public static void failed(Exchange exchange, Throwable bug) {
    LOG.error("a call failed", bug);
    exchange.problem(500, "Internal Server Error", "the log of the service says why");
  }

  private static String allowed(Map<HttpMethod, Route> methods) {
    List<String> names = methods.keySet().stream().map(HttpMethod::name).sorted().toList();
    return names.stream().collect(Collectors.joining(", "));
  }
}
