package dev.weir.grpc;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ServerCall;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Buffers the events of a call that waits for its decision, and passes them to the handler in order
 * once the call is started.
 *
 * <p>Messages arrive only after a handler requests them, and its requests are held back until it is
 * started. So messages are handled on gRPC's own threads, as without this listener.
 */
final class DelayedListener<Q, R> extends ServerCall.Listener<Q> {
  private final List<Consumer<ServerCall.Listener<Q>>> waiting = new ArrayList<>();
  private volatile ServerCall.@Nullable Listener<Q> handler;

  /** Starts the call, passes on the buffered events, and then requests messages. */
  void start(ServerCall<Q, R> call, Function<ServerCall<Q, R>, ServerCall.Listener<Q>> starter) {
    HeldRequests<Q, R> held = new HeldRequests<>(call);
    ServerCall.Listener<Q> started = starter.apply(held);
    for (var event = next(started); event != null; event = next(started)) {
      event.accept(started);
    }
    held.release();
  }

  /** The next buffered event; after the last one, events go to the handler directly. */
  private synchronized @Nullable Consumer<ServerCall.Listener<Q>> next(
      ServerCall.Listener<Q> started) {
    if (waiting.isEmpty()) {
      handler = started;
      return null;
    }
    return waiting.remove(0);
  }

  private void pass(Consumer<ServerCall.Listener<Q>> event) {
    ServerCall.Listener<Q> started = handler;
    if (started == null) {
      synchronized (this) {
        started = handler;
        if (started == null) {
          waiting.add(event);
          return;
        }
      }
    }
    event.accept(started);
  }

  @Override
  public void onMessage(Q message) {
    pass(listener -> listener.onMessage(message));
  }

  @Override
  public void onHalfClose() {
    pass(ServerCall.Listener::onHalfClose);
  }

  @Override
  public void onCancel() {
    pass(ServerCall.Listener::onCancel);
  }

  @Override
  public void onComplete() {
    pass(ServerCall.Listener::onComplete);
  }

  @Override
  public void onReady() {
    pass(ServerCall.Listener::onReady);
  }

  /** Counts the messages that the handler requests until they are released. */
  private static final class HeldRequests<Q, R> extends SimpleForwardingServerCall<Q, R> {
    private int held;
    private boolean released;

    HeldRequests(ServerCall<Q, R> call) {
      super(call);
    }

    @Override
    public void request(int messages) {
      synchronized (this) {
        if (!released) {
          held += messages;
          return;
        }
      }
      super.request(messages);
    }

    void release() {
      int messages;
      synchronized (this) {
        released = true;
        messages = held;
      }
      if (messages > 0) {
        super.request(messages);
      }
    }
  }
}
