package dev.weir.rest;

import dev.weir.http.IncomingRequest;
import jakarta.ws.rs.container.ContainerRequestContext;
import java.security.Principal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request of Jakarta REST. */
record RestIncomingRequest(ContainerRequestContext request, LimitedFilter filter)
    implements IncomingRequest {
  @Override
  public String method() {
    return request.getMethod();
  }

  @Override
  public String target() {
    return request.getUriInfo().getRequestUri().getRawPath();
  }

  @Override
  public String peer() {
    return filter.peer(request);
  }

  @Override
  public List<String> headers(String name) {
    List<String> values = request.getHeaders().get(name);
    return values == null ? List.of() : values;
  }

  @Override
  public @Nullable String user() {
    Principal user = request.getSecurityContext().getUserPrincipal();
    return user == null ? null : user.getName();
  }

  @Override
  public @Nullable String attribute(String name) {
    return filter.attribute(request, name);
  }
}
