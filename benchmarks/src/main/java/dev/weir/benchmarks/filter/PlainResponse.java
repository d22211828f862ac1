package dev.weir.benchmarks.filter;

import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;

/** A response without a container: it keeps fields. A denial fails, for want of a body. */
final class PlainResponse extends HttpServletResponseWrapper {
  private final Map<String, String> fields = new HashMap<>();

  PlainResponse() {
    super(
        (HttpServletResponse)
            Proxy.newProxyInstance(
                PlainResponse.class.getClassLoader(),
                new Class<?>[] {HttpServletResponse.class},
                (proxy, method, arguments) -> {
                  throw new UnsupportedOperationException(method.toString());
                }));
  }

  /** As if it were the next response. */
  PlainResponse renewed() {
    fields.clear();
    return this;
  }

  @Override
  public void setHeader(String name, String value) {
    fields.put(name, value);
  }
}
