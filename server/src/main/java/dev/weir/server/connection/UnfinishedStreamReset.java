package dev.weir.server.connection;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Stream;

/**
 * Resets streams of HTTP/2 that are answered before their request has ended, with {@code NO_ERROR}
 * as RFC 9113 (8.1) has it. Otherwise such a stream stays until its client ends it: a client that
 * never does would hold a hundred streams per connection, which nothing counts any more.
 */
final class UnfinishedStreamReset extends Http2ConnectionAdapter {
  private final Http2ConnectionHandler handler;
  private final ChannelHandlerContext context;

  private UnfinishedStreamReset(Http2ConnectionHandler handler, ChannelHandlerContext context) {
    this.handler = handler;
    this.context = context;
  }

  /** To be called on the event loop of the channel; changes nothing if it is not HTTP/2. */
  static void install(Channel channel) {
    ChannelHandlerContext context = channel.pipeline().context(Http2ConnectionHandler.class);
    if (context != null && context.handler() instanceof Http2ConnectionHandler handler) {
      handler.connection().addListener(new UnfinishedStreamReset(handler, context));
    }
  }

  /** The answer is being written; the reset follows it, when all listeners have seen its end. */
  @Override
  public void onStreamHalfClosed(Http2Stream stream) {
    if (isUnfinished(stream)) {
      context.executor().execute(() -> reset(stream));
    }
  }

  private void reset(Http2Stream stream) {
    if (isUnfinished(stream)) {
      handler.resetStream(context, stream.id(), Http2Error.NO_ERROR.code(), context.newPromise());
      context.flush();
    }
  }

  private static boolean isUnfinished(Http2Stream stream) {
    return stream.state() == Http2Stream.State.HALF_CLOSED_LOCAL;
  }
}
