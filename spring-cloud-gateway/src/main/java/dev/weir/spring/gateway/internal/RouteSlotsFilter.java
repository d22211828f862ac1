package dev.weir.spring.gateway.internal;

import dev.weir.http.HttpAnswer;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Releases the slots of requests in flight that the filter {@code weir} of a WebMVC route took. A
 * route's response is written after its filters have returned, so it is done around all of them.
 */
public final class RouteSlotsFilter implements Filter {
  private static final String HELD = RouteSlotsFilter.class.getName() + ".held";

  /** Has the slots of an answer released when the response has ended. */
  public static void releaseLater(ServletRequest request, HttpAnswer answer) {
    if (answer.holdsSlots()) {
      HeldSlotsOfRoute held =
          request.getAttribute(HELD) instanceof HeldSlotsOfRoute earlier
              ? earlier
              : new HeldSlotsOfRoute();
      held.answers.add(answer);
      request.setAttribute(HELD, held);
    }
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    try {
      chain.doFilter(request, response);
    } finally {
      if (request.getAttribute(HELD) instanceof HeldSlotsOfRoute held && !goesOn(request, held)) {
        held.release();
      }
    }
  }

  private static boolean goesOn(ServletRequest request, HeldSlotsOfRoute held) {
    try {
      if (request.isAsyncStarted()) {
        request.getAsyncContext().addListener(held);
        return true;
      }
    } catch (IllegalStateException completedMeanwhile) {
      // then it has ended
    }
    return false;
  }

  /** What the filters of one request's route hold. */
  private static final class HeldSlotsOfRoute implements AsyncListener {
    private final List<HttpAnswer> answers = new ArrayList<>(1);

    void release() {
      answers.forEach(HttpAnswer::release);
    }

    @Override
    public void onComplete(AsyncEvent event) {
      release();
    }

    @Override
    public void onTimeout(AsyncEvent event) {
      release();
    }

    @Override
    public void onError(AsyncEvent event) {
      release();
    }

    /** A new asynchronous cycle of the same request forgets the listeners of the one before. */
    @Override
    public void onStartAsync(AsyncEvent event) {
      event.getAsyncContext().addListener(this);
    }
  }
}
