package dev.weir.grpc;

import dev.weir.http.HttpAnswer;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.ServerCall;
import java.util.function.Supplier;

/** Releases the slots of a call when it has ended: completed, cancelled, or never started. */
final class SlotReleasingListener<Q> extends SimpleForwardingServerCallListener<Q> {
  private final HttpAnswer answer;

  private SlotReleasingListener(ServerCall.Listener<Q> listener, HttpAnswer answer) {
    super(listener);
    this.answer = answer;
  }

  /** Starts a call; one that fails to start has ended. */
  static <Q> ServerCall.Listener<Q> start(
      HttpAnswer answer, Supplier<ServerCall.Listener<Q>> call) {
    if (!answer.holdsSlots()) {
      return call.get();
    }
    try {
      return new SlotReleasingListener<>(call.get(), answer);
    } catch (RuntimeException | Error failed) {
      answer.release();
      throw failed;
    }
  }

  @Override
  public void onComplete() {
    answer.release();
    super.onComplete();
  }

  @Override
  public void onCancel() {
    answer.release();
    super.onCancel();
  }
}
