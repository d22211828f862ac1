package dev.weir.rest;

import dev.weir.http.HttpAnswer;
import dev.weir.http.HttpLimiter;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.WriterInterceptor;
import jakarta.ws.rs.ext.WriterInterceptorContext;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Limits the requests to resources of Jakarta REST. Safe for many threads, if its subclass is.
 *
 * <p>Jakarta REST does not give the address of a client, but every server does: extend this class
 * and inject the request of your server. With {@link Limited} on the subclass, resources and
 * methods with the same annotation are limited; without it, all are.
 *
 * <pre>{@code
 * @Provider
 * @Limited
 * public class ApiLimits extends LimitedFilter {
 *   @Context HttpServletRequest servletRequest; // Quarkus: @Inject HttpServerRequest of Vert.x
 *
 *   @Inject
 *   public ApiLimits(HttpLimiter limiter) {
 *     super(limiter);
 *   }
 *
 *   @Override
 *   protected String peer(ContainerRequestContext request) {
 *     return servletRequest.getRemoteAddr();
 *   }
 * }
 * }</pre>
 *
 * <p>Request filters cannot be suspended, so the server's thread waits for a store that does not
 * answer at once: put guards around it, which bound the wait. The resource finds the answer in the
 * property {@link #ANSWER}.
 */
public abstract class LimitedFilter
    implements ContainerRequestFilter, ContainerResponseFilter, WriterInterceptor {
  /** The property of the request that holds the {@link HttpAnswer}. */
  public static final String ANSWER = "dev.weir.answer";

  private final HttpLimiter limiter;

  protected LimitedFilter(HttpLimiter limiter) {
    this.limiter = Objects.requireNonNull(limiter, "limiter must not be null");
  }

  /** The address of the connection's other end, in digits. */
  protected abstract String peer(ContainerRequestContext request);

  /**
   * An attribute that only the application knows, for rules and keys: {@code tenant}, {@code plan}.
   *
   * @return null if the request has none
   */
  protected @Nullable String attribute(ContainerRequestContext request, String name) {
    return null;
  }

  @Override
  public final void filter(ContainerRequestContext request) {
    HttpAnswer answer =
        limiter.decide(new RestIncomingRequest(request, this)).toCompletableFuture().join();
    request.setProperty(ANSWER, answer);
    if (!answer.allowed()) {
      request.abortWith(
          Response.status(answer.status())
              .type(answer.contentType())
              .entity(answer.body())
              .build());
    }
  }

  @Override
  public final void filter(ContainerRequestContext request, ContainerResponseContext response) {
    if (request.getProperty(ANSWER) instanceof HttpAnswer answer) {
      answer.fields().forEach((name, value) -> response.getHeaders().putSingle(name, value));
      answer.responded(response.getStatus());
      if (!response.hasEntity()) {
        answer.release(); // nothing is written after this
      }
    }
  }

  /** Releases the slots of a request once its body is written, or cannot be. */
  @Override
  public final void aroundWriteTo(WriterInterceptorContext context) throws IOException {
    try {
      context.proceed();
    } finally {
      if (context.getProperty(ANSWER) instanceof HttpAnswer answer) {
        answer.release();
      }
    }
  }
}
