package dev.weir.server.connection;

import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Two queues of connections that wait to be read: new ones, and those whose clients sent more
 * requests ahead than were served in one read. Each pass of the event loop reads one connection
 * from each queue, plus every connection that is in neither and has data. Used by that event loop
 * alone.
 *
 * <p>Without queues, an event loop reads from every connection in every pass. When 800 clients have
 * sent 30 requests each, that takes half a second, or several on a busy machine, and a client that
 * waits for each answer before it asks again waits for a whole pass every time. With the queues it
 * waits for two of the others, however many there are.
 */
final class ReadTurns {
  private final EventLoop loop;
  private final Queue<TurnTakingChannel> fresh = new ArrayDeque<>();
  private final Queue<TurnTakingChannel> ahead = new ArrayDeque<>();
  private boolean scheduled;

  ReadTurns(EventLoop loop) {
    this.loop = loop;
  }

  /** The queues of all event loops. Safe for many threads. */
  static final class Lines {
    private final Map<EventLoop, ReadTurns> byLoop = new ConcurrentHashMap<>();

    ReadTurns of(EventLoop loop) {
      return byLoop.computeIfAbsent(loop, ReadTurns::new);
    }
  }

  void lineUpFresh(TurnTakingChannel connection) {
    fresh.add(connection);
    schedule();
  }

  void lineUpAhead(TurnTakingChannel connection) {
    ahead.add(connection);
    schedule();
  }

  /**
   * Scheduled instead of executed: an event loop runs all executed tasks before its next pass,
   * including those that they add.
   */
  private void schedule() {
    if (!scheduled) {
      scheduled = true;
      loop.schedule(this::next, 0, TimeUnit.NANOSECONDS);
    }
  }

  private void next() {
    scheduled = false;
    takeTurn(fresh);
    takeTurn(ahead);
    if (!fresh.isEmpty() || !ahead.isEmpty()) {
      schedule();
    }
  }

  /**
   * Connections that are closed, or must not be read now, leave the queue without using up the
   * turn.
   */
  private static void takeTurn(Queue<TurnTakingChannel> line) {
    boolean taken = false;
    while (!taken && !line.isEmpty()) {
      taken = line.remove().takeTurn();
    }
  }
}
