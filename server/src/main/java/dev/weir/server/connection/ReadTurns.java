package dev.weir.server.connection;

import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Two lines of connections that wait to be read: new ones, and those whose clients have sent more
 * ahead than was served at once. In each pass of their event loop one of both is read, and all
 * other connections that have something to read. Used by that event loop alone.
 *
 * <p>Without lines, an event loop reads from every connection in every pass. When 800 clients have
 * sent 30 requests each, that takes half a second, or several on a busy machine, and a client that
 * waits for each answer before it asks again waits for a whole pass every time. With them it waits
 * for two of the others, however many there are.
 */
final class ReadTurns {
  private final EventLoop loop;
  private final Queue<TurnTakingChannel> fresh = new ArrayDeque<>();
  private final Queue<TurnTakingChannel> ahead = new ArrayDeque<>();
  private boolean scheduled;

  ReadTurns(EventLoop loop) {
    this.loop = loop;
  }

  /** The lines of all event loops. Safe for many threads. */
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

  /** Not a task to be executed: such are all run before the next pass, however many they add. */
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

  /** Those that are closed, or not to be read now, leave the line without a turn. */
  private static void takeTurn(Queue<TurnTakingChannel> line) {
    boolean taken = false;
    while (!taken && !line.isEmpty()) {
      taken = line.remove().takeTurn();
    }
  }
}
