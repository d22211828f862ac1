package dev.weir.grpc;

import dev.weir.http.HttpAnswer;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.ServerCall;
import io.grpc.Status;
import java.util.function.Supplier;

/**
 * Releases the slots of a call when it has ended: completed, cancelled, or never started.
 *
 * <p>Also reports calls whose handler threw: gRPC then closes the stream itself, as UNKNOWN, and
 * {@link ResponseFields} is not asked. A call that its client cancelled has no response to report.
 */
final class SlotReleasingListener<Q> extends SimpleForwardingServerCallListener<Q> {
  private static final int THROWN = HttpStatuses.of(Status.Code.UNKNOWN);

  private final HttpAnswer answer;

  private SlotReleasingListener(ServerCall.Listener<Q> listener, HttpAnswer answer) {
    super(listener);
    this.answer = answer;
  }

  /** Starts a call; one that fails to start has ended. */
  static <Q> ServerCall.Listener<Q> start(
      HttpAnswer answer, Supplier<ServerCall.Listener<Q>> call) {
    if (!answer.holdsSlots() && !answer.expectsResponse()) {
      return call.get();
    }
    try {
      return new SlotReleasingListener<>(call.get(), answer);
    } catch (RuntimeException | Error failed) {
      answer.release();
      answer.responded(THROWN);
      throw failed;
    }
  }

  @Override
  public void onComplete() {
    answer.release();
    answer.responded(THROWN); // without effect if the handler has closed the call
    super.onComplete();
  }

  @Override
  public void onCancel() {
    answer.release();
    super.onCancel();
  }
}
