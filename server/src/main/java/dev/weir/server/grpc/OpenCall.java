package dev.weir.server.grpc;

import dev.weir.server.connection.OpenConnection;
import io.grpc.Context;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * One call from its header fields to its end: how far it is, and what it holds. Safe for many
 * threads.
 *
 * <p>An incomplete message is kept in the pieces in which it arrives, and each piece keeps the
 * whole read buffer alive that it came in. So each piece is charged a fixed size on top of its
 * bytes: otherwise a client that sends single bytes would hold a thousand times what is counted.
 */
final class OpenCall extends ServerStreamTracer {
  /** The call that the current context belongs to. */
  static final Context.Key<OpenCall> CURRENT = Context.key("weir-open-call");

  private static final long PIECE_BYTES = 4096;
  private static final long SENDING_NANOS = 1_000_000_000L;

  private final long number;
  private final OpenCallRegistry calls;
  private final AtomicLong heldByAll;
  private Phase phase = Phase.READING;
  private boolean released;
  private long sinceNanos;
  private long held;
  private long heldByPieces;
  private long leaving;
  private @Nullable EndableCall<?, ?> answer;
  private @Nullable OpenConnection connection;

  private enum Phase {
    /** The client has to send; takes a bounded time. */
    READING,
    /** We have to answer, or the client watches something. */
    RUNNING,
    /** The client has to read; takes a bounded time. */
    ANSWERED
  }

  /**
   * @param number in the order in which calls begin
   */
  OpenCall(long number, OpenCallRegistry calls, AtomicLong heldByAll, long nowNanos) {
    this.number = number;
    this.calls = calls;
    this.heldByAll = heldByAll;
    this.sinceNanos = nowNanos;
  }

  long number() {
    return number;
  }

  /** From now on it can be answered. */
  synchronized void started(EndableCall<?, ?> endable, @Nullable OpenConnection over) {
    answer = endable;
    connection = over;
  }

  synchronized void hold(long bytes) {
    if (!released) {
      held += bytes;
      heldByAll.addAndGet(bytes);
    }
  }

  /** The client has sent all that an answer needs. */
  synchronized void arrived() {
    if (phase == Phase.READING) {
      phase = Phase.RUNNING;
      hold(-heldByPieces);
      heldByPieces = 0;
    }
  }

  /** The answer is on its way to the client. */
  synchronized void answered() {
    phase = Phase.ANSWERED;
    sinceNanos = calls.nowNanos();
  }

  /** False for a second after it was answered, because such a call is about to end by itself. */
  synchronized boolean mayBeGivenUp(long nowNanos) {
    return phase != Phase.ANSWERED || nowNanos - sinceNanos > SENDING_NANOS;
  }

  synchronized boolean isLate(long nowNanos, long mostNanos) {
    return phase != Phase.RUNNING && nowNanos - sinceNanos > mostNanos;
  }

  /** Gives it up and releases what it holds. A client that does not read loses its connection. */
  void giveUp(Status why) {
    EndableCall<?, ?> endable;
    OpenConnection over;
    boolean unread;
    synchronized (this) {
      endable = answer;
      over = connection;
      unread = phase == Phase.ANSWERED;
    }
    leave();
    if (unread && over != null) {
      over.close();
    } else if (endable != null) {
      endable.end(why);
    }
  }

  private synchronized void leave() {
    if (!released) {
      leaving = held;
      calls.leaving(leaving);
      release();
    }
  }

  private synchronized void release() {
    hold(-held);
    released = true;
  }

  @Override
  public Context filterContext(Context context) {
    return context.withValue(CURRENT, this);
  }

  @Override
  public void inboundMessage(int number) {
    synchronized (this) {
      if (phase == Phase.RUNNING) {
        phase = Phase.READING;
        sinceNanos = calls.nowNanos();
      }
    }
  }

  @Override
  public void inboundWireSize(long bytes) {
    synchronized (this) {
      heldByPieces += PIECE_BYTES;
      hold(bytes + PIECE_BYTES);
    }
    calls.makeRoomIfHigh();
  }

  @Override
  public void outboundWireSize(long bytes) {
    hold(bytes);
  }

  @Override
  public void streamClosed(Status status) {
    synchronized (this) {
      release();
      calls.leaving(-leaving);
      leaving = 0;
    }
    calls.ended(this);
  }
}
