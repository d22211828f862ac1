package dev.weir.servlet;

import dev.weir.http.IncomingRequest;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A servlet's request, for integrations that are not filters.
 *
 * @param attributes that only the application knows, by name
 */
public record ServletIncomingRequest(
    HttpServletRequest request,
    Map<String, Function<HttpServletRequest, @Nullable String>> attributes)
    implements IncomingRequest {
  @Override
  public String method() {
    return request.getMethod();
  }

  @Override
  public String target() {
    return request.getRequestURI();
  }

  @Override
  public String peer() {
    return request.getRemoteAddr();
  }

  @Override
  public List<String> headers(String name) {
    return Collections.list(request.getHeaders(name));
  }

  @Override
  public @Nullable String user() {
    return request.getRemoteUser();
  }

  @Override
  public @Nullable String attribute(String name) {
    Function<HttpServletRequest, @Nullable String> attribute = attributes.get(name);
    return attribute == null ? null : attribute.apply(request);
  }
}
