package dev.weir.server.connection;

import dev.weir.server.service.SampledLog;
import io.netty.channel.Channel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.TimeUnit;

/**
 * Registers accepted connections, and closes those without room. Stands before the handler that
 * gives them to their event loops.
 */
@ChannelHandler.Sharable
public final class AcceptHandler extends ChannelInboundHandlerAdapter {
  private static final SampledLog LOG = new SampledLog(AcceptHandler.class);
  private static final long PAUSE_SECONDS = 1;

  private final ConnectionRegistry registry;
  private final boolean closesIdleItself;

  private AcceptHandler(ConnectionRegistry registry, boolean closesIdleItself) {
    this.registry = registry;
    this.closesIdleItself = closesIdleItself;
  }

  /** For connections that are closed by the registry after a time without requests. */
  static AcceptHandler closingIdle(ConnectionRegistry registry) {
    return new AcceptHandler(registry, false);
  }

  /**
   * For a protocol that closes idle connections itself, after notifying the client; the registry
   * closes them only to make room.
   */
  public static AcceptHandler closingIdleItself(ConnectionRegistry registry) {
    return new AcceptHandler(registry, true);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
    if (message instanceof Channel accepted
        && !registry.accepted(accepted, System.currentTimeMillis(), closesIdleItself)) {
      accepted.unsafe().closeForcibly();
      return;
    }
    super.channelRead(context, message);
  }

  /**
   * Most likely the process is out of file descriptors. As in Netty, accepting pauses, because the
   * next attempt would fail at once; unlike Netty, no stack trace is logged each time.
   */
  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    LOG.warn("cannot accept a connection: " + cause.getMessage());
    ChannelConfig config = context.channel().config();
    config.setAutoRead(false);
    context
        .channel()
        .eventLoop()
        .schedule(() -> config.setAutoRead(true), PAUSE_SECONDS, TimeUnit.SECONDS);
  }
}
