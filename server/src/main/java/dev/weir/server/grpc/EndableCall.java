package dev.weir.server.grpc;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;

/**
 * A call that may be ended from outside while it is being answered; what is sent after that is
 * dropped. Safe for many threads.
 */
final class EndableCall<Q, R> extends SimpleForwardingServerCall<Q, R> {
  private final OpenCall open;
  private boolean closed;

  EndableCall(ServerCall<Q, R> call, OpenCall open) {
    super(call);
    this.open = open;
  }

  @Override
  public synchronized void sendHeaders(Metadata headers) {
    if (!closed) {
      super.sendHeaders(headers);
    }
  }

  @Override
  public synchronized void sendMessage(R message) {
    if (!closed) {
      super.sendMessage(message);
    }
  }

  @Override
  public synchronized void close(Status status, Metadata trailers) {
    if (!closed) {
      closed = true;
      open.answered();
      super.close(status, trailers);
    }
  }

  void end(Status why) {
    close(why, new Metadata());
  }
}
