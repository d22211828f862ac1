package dev.weir.servlet;

import dev.weir.http.HttpAnswer;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.http.HttpServletResponse;

/** Says how the application responded to a request that left the container's thread. */
record ResponseListener(HttpAnswer answer, HttpServletResponse response) implements AsyncListener {
  @Override
  public void onComplete(AsyncEvent event) {
    answer.responded(response.getStatus());
  }

  @Override
  public void onTimeout(AsyncEvent event) {
    // the container answers, and then completes
  }

  @Override
  public void onError(AsyncEvent event) {
    // the container answers, and then completes
  }

  /** A request that leaves the thread anew forgets its listeners. */
  @Override
  public void onStartAsync(AsyncEvent event) {
    event.getAsyncContext().addListener(this);
  }
}
