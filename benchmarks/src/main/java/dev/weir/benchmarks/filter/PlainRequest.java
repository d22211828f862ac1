package dev.weir.benchmarks.filter;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.lang.reflect.Proxy;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request without a container, so that only the filter is measured. It answers what a filter
 * asks; anything else fails.
 */
final class PlainRequest extends HttpServletRequestWrapper {
  static final String ADDRESS = "192.0.2.1";
  static final String PATH = "/api/items/42";
  static final String AGENT = "curl/8.5.0";

  private final Map<String, Object> attributes = new HashMap<>();

  PlainRequest() {
    super(
        (HttpServletRequest)
            Proxy.newProxyInstance(
                PlainRequest.class.getClassLoader(),
                new Class<?>[] {HttpServletRequest.class},
                (proxy, method, arguments) -> {
                  throw new UnsupportedOperationException(method.toString());
                }));
  }

  /** As if it were the next request. */
  PlainRequest renewed() {
    attributes.clear();
    return this;
  }

  @Override
  public DispatcherType getDispatcherType() {
    return DispatcherType.REQUEST;
  }

  @Override
  public String getMethod() {
    return "GET";
  }

  @Override
  public String getRequestURI() {
    return PATH;
  }

  @Override
  public String getRemoteAddr() {
    return ADDRESS;
  }

  @Override
  public @Nullable String getRemoteUser() {
    return null;
  }

  @Override
  public Enumeration<String> getHeaders(String name) {
    return Collections.enumeration(
        name.equalsIgnoreCase("User-Agent") ? List.of(AGENT) : List.of());
  }

  @Override
  public @Nullable Object getAttribute(String name) {
    return attributes.get(name);
  }

  @Override
  public void setAttribute(String name, Object value) {
    attributes.put(name, value);
  }
}
