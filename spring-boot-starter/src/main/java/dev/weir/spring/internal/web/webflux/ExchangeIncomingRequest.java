package dev.weir.spring.internal.web.webflux;

import dev.weir.http.ClientAddress;
import dev.weir.http.IncomingRequest;
import dev.weir.spring.RequestAttribute;
import java.net.InetSocketAddress;
import java.net.URI;
import java.security.Principal;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.reactive.ServerHttpRequest;

/**
 * A request of WebFlux.
 *
 * @param principal null if nobody is authenticated, or not yet
 */
record ExchangeIncomingRequest(
    ServerHttpRequest request, List<RequestAttribute> attributes, @Nullable Principal principal)
    implements IncomingRequest {
  @Override
  public String method() {
    return request.getMethod().name();
  }

  @Override
  public String target() {
    URI uri = request.getURI();
    return uri.getRawQuery() == null
        ? uri.getRawPath()
        : uri.getRawPath() + "?" + uri.getRawQuery();
  }

  @Override
  public String peer() {
    InetSocketAddress peer = request.getRemoteAddress();
    if (peer == null) {
      return ClientAddress.UNKNOWN;
    }
    return peer.getAddress() == null ? peer.getHostString() : peer.getAddress().getHostAddress();
  }

  @Override
  public List<String> headers(String name) {
    return request.getHeaders().getOrEmpty(name);
  }

  @Override
  public @Nullable String user() {
    return principal == null ? null : principal.getName();
  }

  @Override
  public @Nullable String attribute(String name) {
    for (RequestAttribute attribute : attributes) {
      if (attribute.name().equals(name)) {
        return attribute.value(request, principal);
      }
    }
    return null;
  }
}
