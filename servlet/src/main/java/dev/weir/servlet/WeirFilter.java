package dev.weir.servlet;

import dev.weir.http.HttpAnswer;
import dev.weir.http.HttpLimiter;
import dev.weir.http.IncomingRequest;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Limits the requests to a servlet container. Safe for many threads.
 *
 * <pre>{@code
 * WeirFilter filter = WeirFilter.of(HttpLimiter.byRules(rules, limiter).build());
 * context.addFilter("weir", filter)
 *     .addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), false, "/*");
 * }</pre>
 *
 * <p>A request counts once: dispatches inside the application (ERROR, ASYNC, FORWARD, INCLUDE) pass
 * uncounted, whatever the filter is mapped to. The application finds what was answered in the
 * request attribute {@link #ANSWER}.
 *
 * <p>The container's thread waits for a store that does not answer at once, so put guards around
 * it, which bound the wait; or let no thread wait, with {@link Builder#async}.
 */
public final class WeirFilter implements Filter {
  /** The request attribute that holds the {@link HttpAnswer}. */
  public static final String ANSWER = "dev.weir.answer";

  private final HttpLimiter limiter;
  private final Map<String, Function<HttpServletRequest, @Nullable String>> attributes;
  private final boolean async;
  private final boolean further;

  private WeirFilter(Builder builder) {
    this.limiter = builder.limiter;
    this.attributes = Map.copyOf(builder.attributes);
    this.async = builder.async;
    this.further = builder.further;
  }

  public static WeirFilter of(HttpLimiter limiter) {
    return builder(limiter).build();
  }

  public static Builder builder(HttpLimiter limiter) {
    return new Builder(Objects.requireNonNull(limiter, "limiter must not be null"));
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if (request instanceof HttpServletRequest asked
        && response instanceof HttpServletResponse answered
        && request.getDispatcherType() == DispatcherType.REQUEST) {
      decide(asked, answered, chain);
    } else {
      chain.doFilter(request, response);
    }
  }

  private void decide(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    CompletableFuture<HttpAnswer> decided =
        decide(request, new ServletIncomingRequest(request, attributes)).toCompletableFuture();
    if (async && request.isAsyncSupported() && !decided.isDone()) {
      AsyncContext context = request.startAsync(request, response);
      decided.whenComplete((answer, failed) -> resume(context, request, response, answer));
    } else if (write(decided.join(), request, response)) {
      HttpAnswer answer = decided.join();
      SlotRelease.after(answer, request, () -> pass(answer, request, response, chain));
    }
  }

  /** Lets a request pass, and says how the application responded where a limit asks for it. */
  private static void pass(
      HttpAnswer answer,
      HttpServletRequest request,
      HttpServletResponse response,
      FilterChain chain)
      throws IOException, ServletException {
    if (!answer.expectsResponse()) {
      chain.doFilter(request, response);
      return;
    }
    boolean responded = false;
    try {
      chain.doFilter(request, response);
      responded = true;
    } finally {
      if (!request.isAsyncStarted() || !listens(answer, request, response)) {
        int failed = HttpServletResponse.SC_INTERNAL_SERVER_ERROR; // as the container answers
        answer.responded(responded ? response.getStatus() : failed);
      }
    }
  }

  /** Waits for the end of a request in another thread; false if it has ended meanwhile. */
  private static boolean listens(
      HttpAnswer answer, HttpServletRequest request, HttpServletResponse response) {
    try {
      request.getAsyncContext().addListener(new ResponseListener(answer, response));
      return true;
    } catch (IllegalStateException ended) {
      return false;
    }
  }

  /** Decides by all limits, and adds those of an earlier WeirFilter to the fields. */
  private CompletionStage<HttpAnswer> decide(HttpServletRequest request, IncomingRequest asked) {
    if (!(request.getAttribute(ANSWER) instanceof HttpAnswer earlier)) {
      return limiter.decide(asked);
    }
    return further
        ? limiter.decideFurther(asked, earlier)
        : limiter.decide(asked).thenApply(answer -> answer.after(earlier));
  }

  /**
   * Continues a request that had to wait for its decision. A denial is written here, so that it
   * does not depend on the filters that an ASYNC dispatch passes.
   */
  private static void resume(
      AsyncContext context,
      HttpServletRequest request,
      HttpServletResponse response,
      @Nullable HttpAnswer answer) {
    try {
      if (answer == null) {
        response.sendError(HttpServletResponse.SC_INTERNAL_SERVER_ERROR);
      } else if (write(answer, request, response)) {
        SlotRelease.whenComplete(answer, context);
        if (answer.expectsResponse()) {
          context.addListener(new ResponseListener(answer, response));
        }
        context.dispatch();
        return;
      }
    } catch (IOException clientIsGone) {
      request.getServletContext().log("weir: no answer could be written", clientIsGone);
    }
    context.complete();
  }

  /** Returns whether the request may pass; if not, the whole answer is written. */
  private static boolean write(
      HttpAnswer answer, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    request.setAttribute(ANSWER, answer);
    answer.fields().forEach(response::setHeader);
    if (answer.allowed()) {
      return true;
    }
    byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
    response.setStatus(answer.status());
    response.setContentType(answer.contentType());
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
    return false;
  }

  /** Settings of a {@link WeirFilter}. Not safe for many threads. */
  public static final class Builder {
    private final HttpLimiter limiter;
    private final Map<String, Function<HttpServletRequest, @Nullable String>> attributes =
        new HashMap<>();
    private boolean async;
    private boolean further;

    private Builder(HttpLimiter limiter) {
      this.limiter = limiter;
    }

    /**
     * An attribute that only the application knows, for rules and keys: {@code tenant}, {@code
     * plan}.
     *
     * @param value null if the request has none; called only if a limit asks for it
     */
    public Builder attribute(String name, Function<HttpServletRequest, @Nullable String> value) {
      attributes.put(
          Objects.requireNonNull(name, "name must not be null"),
          Objects.requireNonNull(value, "value must not be null"));
      return this;
    }

    /**
     * Lets no thread wait for the store: the request continues in an ASYNC dispatch when the store
     * has answered.
     *
     * <p>Only for applications whose filters and servlets all support it, and whose other filters
     * are mapped to ASYNC, too: a filter behind this one that is mapped to REQUEST alone (one that
     * authenticates, for example) is passed by.
     */
    public Builder async() {
      async = true;
      return this;
    }

    /**
     * Makes this the second filter of two over the same {@link dev.weir.RateLimiter}: it asks only
     * for limits that the first did not, such as those of a user who is authenticated in between. A
     * denial gives back what the first filter took.
     */
    public Builder further() {
      further = true;
      return this;
    }

    public WeirFilter build() {
      return new WeirFilter(this);
    }
  }
}
