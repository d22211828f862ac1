package dev.weir.spring;

/** Notified of every request that reaches a handler. */
final class HandledRequests {
  private volatile Runnable listener = () -> {};

  public void notify(Runnable next) {
    listener = next;
  }

  public void handled() {
    listener.run();
  }
}
