package dev.weir.redis.internal.script;

import dev.weir.redis.internal.protocol.Failures;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Tracks which servers currently answer with errors, and why: out of memory, read only, loading.
 * Logs when that begins, when the reason changes and when it ends, not for every call. Safe for
 * many threads.
 *
 * <p>A server without memory goes on answering what writes nothing, so only a call that has written
 * ends a refusal; so does the lack of refusals for half a minute.
 */
final class ServerRefusals {
  private static final System.Logger LOG = System.getLogger(ServerRefusals.class.getName());
  private static final Duration FORGOTTEN_AFTER = Duration.ofSeconds(30);

  private final LongSupplier nanoTime;
  private final Map<String, Refusal> refusals = new ConcurrentHashMap<>();

  private record Refusal(String condition, String message, long lastNanos) {}

  ServerRefusals(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** Notes an error that a server answered with; errors about single keys do not count. */
  void refused(String server, String message) {
    Failures.condition(message).ifPresent(condition -> note(server, condition, message));
  }

  private void note(String server, String condition, String message) {
    Refusal now = new Refusal(condition, message, nanoTime.getAsLong());
    Refusal before = refusals.put(server, now);
    if (before == null || !before.condition.equals(condition)) {
      LOG.log(Level.WARNING, text(server, now));
    }
  }

  /** Whether a server refuses calls now. */
  boolean any() {
    return !refusals.isEmpty();
  }

  /** Notes a call that the server has carried out and that has written. */
  void accepted(String server) {
    if (refusals.remove(server) != null) {
      LOG.log(Level.INFO, "Redis at {0} accepts calls again", server);
    }
  }

  /** One line for every server that refuses. */
  List<String> warnings() {
    long oldest = nanoTime.getAsLong() - FORGOTTEN_AFTER.toNanos();
    refusals.forEach(
        (server, refusal) -> {
          if (refusal.lastNanos - oldest < 0 && refusals.remove(server, refusal)) {
            LOG.log(Level.INFO, "Redis at {0} has refused nothing for a while", server);
          }
        });
    return refusals.entrySet().stream()
        .map(each -> text(each.getKey(), each.getValue()))
        .sorted()
        .toList();
  }

  private static String text(String server, Refusal refusal) {
    String where = "Redis at " + server;
    String message = refusal.message;
    return message.startsWith(where + ": ")
        ? where + " refuses calls: " + message.substring(where.length() + 2)
        : where + " refuses calls: " + message;
  }
}
