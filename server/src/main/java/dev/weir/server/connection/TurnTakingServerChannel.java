package dev.weir.server.connection;

import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;

/** A listening port whose connections take turns. Used by the event loop that accepts them. */
public final class TurnTakingServerChannel extends NioServerSocketChannel {
  /** Some ten small requests, or one as large as they may be. */
  private static final long AT_ONCE_NANOS = 200_000;

  private final ReadTurns.Lines lines = new ReadTurns.Lines();
  private final long atOnceNanos;

  public TurnTakingServerChannel() {
    this(AT_ONCE_NANOS);
  }

  TurnTakingServerChannel(long atOnceNanos) {
    this.atOnceNanos = atOnceNanos;
  }

  @Override
  protected int doReadMessages(List<Object> accepted) throws Exception {
    SocketChannel socket = javaChannel().accept();
    if (socket == null) {
      return 0;
    }
    accepted.add(new TurnTakingChannel(this, socket, lines, atOnceNanos));
    return 1;
  }
}
