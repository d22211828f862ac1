package dev.weir.servlet;

import dev.weir.http.HttpAnswer;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;

/** Releases the slots of a request when its response has ended, however it ended. */
final class SlotRelease implements AsyncListener {
  private final HttpAnswer answer;

  private SlotRelease(HttpAnswer answer) {
    this.answer = answer;
  }

  /** The rest of the filter chain. */
  interface Rest {
    void run() throws IOException, ServletException;
  }

  /** Runs the rest of the chain; a response that goes on asynchronously ends later. */
  static void after(HttpAnswer answer, HttpServletRequest request, Rest rest)
      throws IOException, ServletException {
    if (!answer.holdsSlots()) {
      rest.run();
      return;
    }
    try {
      rest.run();
    } finally {
      if (!goesOn(answer, request)) {
        answer.release();
      }
    }
  }

  private static boolean goesOn(HttpAnswer answer, HttpServletRequest request) {
    try {
      return request.isAsyncStarted() && whenComplete(answer, request.getAsyncContext());
    } catch (IllegalStateException completedMeanwhile) {
      return false;
    }
  }

  static boolean whenComplete(HttpAnswer answer, AsyncContext context) {
    if (answer.holdsSlots()) {
      context.addListener(new SlotRelease(answer));
    }
    return true;
  }

  @Override
  public void onComplete(AsyncEvent event) {
    answer.release();
  }

  @Override
  public void onTimeout(AsyncEvent event) {
    answer.release();
  }

  @Override
  public void onError(AsyncEvent event) {
    answer.release();
  }

  /** A new asynchronous cycle of the same request forgets the listeners of the one before. */
  @Override
  public void onStartAsync(AsyncEvent event) {
    event.getAsyncContext().addListener(this);
  }
}
