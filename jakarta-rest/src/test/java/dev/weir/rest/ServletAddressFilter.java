package dev.weir.rest;

import dev.weir.http.HttpLimiter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.Context;
import org.jspecify.annotations.Nullable;

/** As an application in a servlet container writes it. */
@Limited
class ServletAddressFilter extends LimitedFilter {
  @Context HttpServletRequest servletRequest;

  ServletAddressFilter(HttpLimiter limiter) {
    super(limiter);
  }

  @Override
  protected String peer(ContainerRequestContext request) {
    return servletRequest.getRemoteAddr();
  }

  @Override
  protected @Nullable String attribute(ContainerRequestContext request, String name) {
    return name.equals("tenant") ? request.getUriInfo().getQueryParameters().getFirst(name) : null;
  }
}
