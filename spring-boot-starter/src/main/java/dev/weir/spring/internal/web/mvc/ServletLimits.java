package dev.weir.spring.internal.web.mvc;

import dev.weir.http.HttpLimiter;
import dev.weir.servlet.WeirFilter;
import dev.weir.spring.RequestAttribute;
import dev.weir.spring.internal.web.WebLimits;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.http.server.ServletServerHttpRequest;

/** The servlet filters of the two steps. */
public final class ServletLimits {
  private ServletLimits() {}

  /** The filter of the step before authentication. */
  public static FilterRegistrationBean<WeirFilter> before(WebLimits limits, int order) {
    return registered(builder(limits, limits.before()), "weirBeforeAuthentication", order);
  }

  /** The filter of the step after authentication. */
  public static FilterRegistrationBean<WeirFilter> after(WebLimits limits, int order) {
    return registered(builder(limits, limits.after()).further(), "weirAfterAuthentication", order);
  }

  /** The attributes that beans of the application give, by name. */
  public static Map<String, Function<HttpServletRequest, @Nullable String>> attributes(
      WebLimits limits) {
    Map<String, Function<HttpServletRequest, @Nullable String>> attributes = new HashMap<>();
    for (RequestAttribute attribute : limits.attributes()) {
      attributes.put(
          attribute.name(),
          request ->
              attribute.value(new ServletServerHttpRequest(request), request.getUserPrincipal()));
    }
    return attributes;
  }

  private static WeirFilter.Builder builder(WebLimits limits, HttpLimiter limiter) {
    WeirFilter.Builder filter = WeirFilter.builder(limiter);
    attributes(limits).forEach(filter::attribute);
    return filter;
  }

  private static FilterRegistrationBean<WeirFilter> registered(
      WeirFilter.Builder filter, String name, int order) {
    FilterRegistrationBean<WeirFilter> registration = new FilterRegistrationBean<>(filter.build());
    registration.setName(name);
    registration.setOrder(order);
    registration.setDispatcherTypes(EnumSet.of(DispatcherType.REQUEST));
    return registration;
  }
}
