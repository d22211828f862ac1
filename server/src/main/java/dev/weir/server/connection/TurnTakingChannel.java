package dev.weir.server.connection;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * An accepted connection that joins a queue of {@link ReadTurns} for its first read, and again
 * whenever its client has sent much ahead. Used by its event loop.
 *
 * <p>A read that fills its buffer leaves more to be read. While the data of such a client costs
 * little, as one large request does, the connection is read in every pass; after that it takes
 * turns with others like it. A client that waits for each answer queues only once.
 */
final class TurnTakingChannel extends NioSocketChannel {
  private final ReadTurns.Lines lines;
  private final long atOnceNanos;
  private boolean fresh = true;
  private boolean more;
  private boolean inLine;
  private boolean isTurn;
  private long readNanos;
  private long spentNanos;

  /**
   * @param atOnceNanos how long reads that leave more to be read may take together, with the
   *     service of what was read, before the connection lines up
   */
  TurnTakingChannel(Channel parent, SocketChannel socket, ReadTurns.Lines lines, long atOnceNanos) {
    super(parent, socket);
    this.lines = lines;
    this.atOnceNanos = atOnceNanos;
  }

  /** Whether its client had sent more than was read when it was last read. */
  boolean isAhead() {
    return more;
  }

  @Override
  protected int doReadBytes(ByteBuf buffer) throws Exception {
    readNanos = System.nanoTime();
    int room = buffer.writableBytes();
    int count = super.doReadBytes(buffer);
    more = count == room;
    return count;
  }

  /** Called after each read when what was read has been served, or when reading is resumed. */
  @Override
  protected void doBeginRead() throws Exception {
    if (inLine) {
      return;
    }
    if (isTurn) {
      super.doBeginRead();
    } else if (fresh) {
      inLine = true;
      lines.of(eventLoop()).lineUpFresh(this);
    } else if (lastsLong()) {
      clearReadPending();
      inLine = true;
      lines.of(eventLoop()).lineUpAhead(this);
    } else {
      super.doBeginRead();
    }
  }

  /** A pause because of unread answers counts, too: what follows was sent ahead. */
  private boolean lastsLong() {
    spentNanos = more ? spentNanos + System.nanoTime() - readNanos : 0;
    return more && spentNanos >= atOnceNanos;
  }

  /** Reads in the next pass; false if it is closed, or its client must read answers first. */
  boolean takeTurn() {
    inLine = false;
    spentNanos = 0;
    boolean reads = isOpen() && config().isAutoRead();
    if (reads) {
      fresh = false;
      isTurn = true;
      read();
      isTurn = false;
    }
    return reads;
  }
}
