package dev.weir.spring.gateway;

import dev.weir.http.HttpAnswer;
import dev.weir.http.HttpLimiter;
import dev.weir.servlet.ServletIncomingRequest;
import dev.weir.servlet.WeirFilter;
import dev.weir.spring.gateway.internal.RouteSlotsFilter;
import dev.weir.spring.internal.web.WebLimits;
import dev.weir.spring.internal.web.mvc.ServletLimits;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.cloud.gateway.server.mvc.common.MvcUtils;
import org.springframework.cloud.gateway.server.mvc.common.Shortcut;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.function.HandlerFilterFunction;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * The filter {@code weir} of the WebMVC server: limits a route by a rule, as {@link
 * WeirGatewayFilterFactory} does on WebFlux.
 *
 * <pre>{@code
 * filters: [weir=orders]                    # in YAML
 * route("orders").filter(weir("orders"))    // in Java
 * }</pre>
 */
public final class WeirFilterFunctions {
  private WeirFilterFunctions() {}

  /**
   * @param rule the name of the rule; all its limits apply, whatever its {@code when}
   */
  @Shortcut("rule")
  public static HandlerFilterFunction<ServerResponse, ServerResponse> weir(String rule) {
    Map<WebLimits, HttpLimiter> limiters = new ConcurrentHashMap<>();
    return (request, next) -> {
      WebLimits limits = MvcUtils.getApplicationContext(request).getBean(WebLimits.class);
      HttpLimiter limiter =
          limiters.computeIfAbsent(limits, all -> all.byRule(rule, "the filter weir"));
      return answer(decide(limiter, limits, request.servletRequest()), request, next);
    };
  }

  private static HttpAnswer decide(
      HttpLimiter limiter, WebLimits limits, HttpServletRequest request) {
    ServletIncomingRequest incoming = new ServletIncomingRequest(request, attributes(limits));
    CompletionStage<HttpAnswer> answer =
        request.getAttribute(WeirFilter.ANSWER) instanceof HttpAnswer earlier
            ? limiter.decideFurther(incoming, earlier)
            : limiter.decide(incoming);
    return answer.toCompletableFuture().join();
  }

  private static Map<String, Function<HttpServletRequest, @Nullable String>> attributes(
      WebLimits limits) {
    Map<String, Function<HttpServletRequest, @Nullable String>> attributes =
        ServletLimits.attributes(limits);
    attributes.put(
        "route", request -> (String) request.getAttribute(MvcUtils.GATEWAY_ROUTE_ID_ATTR));
    return attributes;
  }

  private static ServerResponse answer(
      HttpAnswer answer, ServerRequest request, HandlerFunction<ServerResponse> next)
      throws Exception {
    request.servletRequest().setAttribute(WeirFilter.ANSWER, answer);
    RouteSlotsFilter.releaseLater(request.servletRequest(), answer);
    if (answer.allowed()) {
      ServerResponse response = handle(answer, request, next);
      answer.fields().forEach(response.headers()::set);
      return response;
    }
    return ServerResponse.status(answer.status())
        .headers(headers -> answer.fields().forEach(headers::set))
        .contentType(MediaType.parseMediaType(answer.contentType()))
        .body(answer.body());
  }

  private static ServerResponse handle(
      HttpAnswer answer, ServerRequest request, HandlerFunction<ServerResponse> next)
      throws Exception {
    if (!answer.expectsResponse()) {
      return next.handle(request);
    }
    int status = 500; // what is thrown is answered so
    try {
      ServerResponse response = next.handle(request);
      status = response.statusCode().value();
      return response;
    } finally {
      answer.responded(status);
    }
  }
}
