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
 * <p>A server without memory still answers calls that write nothing, so only a call that has
 * written ends a refusal. A server that is just out of memory may accept one write and refuse the
 * next, so the last refusal must be a second ago. Without writes, a refusal ends when nothing was
 * refused for half a minute; if the server refuses again after that, this time is doubled.
 */
final class ServerRefusals {
  private static final System.Logger LOG = System.getLogger(ServerRefusals.class.getName());
  private static final Duration ACCEPTED_AFTER = Duration.ofSeconds(1);
  private static final Duration FORGOTTEN_AFTER = Duration.ofSeconds(30);
  private static final Duration LONGEST_REMEMBERED = Duration.ofMinutes(10);

  private final LongSupplier nanoTime;
  private final Map<String, ServerCondition> refusals = new ConcurrentHashMap<>();
  private final Map<String, Duration> forgottenAfter = new ConcurrentHashMap<>();

  /**
   * @param accepted whether the server has carried out a call since
   */
  private record ServerCondition(
      String condition, String message, long lastNanos, boolean accepted) {
    ServerCondition thenAccepted() {
      return new ServerCondition(condition, message, lastNanos, true);
    }
  }

  ServerRefusals(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** Notes an error that a server answered with; errors about single keys do not count. */
  void refused(String server, String message) {
    Failures.condition(message).ifPresent(condition -> note(server, condition, message));
  }

  private void note(String server, String condition, String message) {
    ServerCondition now = new ServerCondition(condition, message, nanoTime.getAsLong(), false);
    ServerCondition before = refusals.put(server, now);
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
    ServerCondition refusal = refusals.get(server);
    if (refusal != null && !refusal.accepted) {
      refusals.replace(server, refusal, refusal.thenAccepted());
    }
    endIfOver(server);
  }

  private void endIfOver(String server) {
    ServerCondition refusal = refusals.get(server);
    if (refusal == null) {
      return;
    }
    Duration quiet = Duration.ofNanos(nanoTime.getAsLong() - refusal.lastNanos);
    Duration forgotten = forgottenAfter.getOrDefault(server, FORGOTTEN_AFTER);
    if (refusal.accepted && quiet.compareTo(ACCEPTED_AFTER) >= 0) {
      end(server, refusal, "Redis at {0} accepts calls again", FORGOTTEN_AFTER);
    } else if (quiet.compareTo(forgotten) > 0) {
      Duration twice = forgotten.multipliedBy(2);
      Duration next = twice.compareTo(LONGEST_REMEMBERED) > 0 ? LONGEST_REMEMBERED : twice;
      end(server, refusal, "Redis at {0} has refused nothing for a while", next);
    }
  }

  private void end(
      String server, ServerCondition refusal, String message, Duration nextForgottenAfter) {
    if (refusals.remove(server, refusal)) {
      forgottenAfter.put(server, nextForgottenAfter);
      LOG.log(Level.INFO, message, server);
    }
  }

  /** One line for every server that refuses. */
  List<String> warnings() {
    refusals.keySet().forEach(this::endIfOver);
    return refusals.entrySet().stream()
        .map(each -> text(each.getKey(), each.getValue()))
        .sorted()
        .toList();
  }

  private static String text(String server, ServerCondition refusal) {
    String where = "Redis at " + server;
    String message = refusal.message;
    return message.startsWith(where + ": ")
        ? where + " refuses calls: " + message.substring(where.length() + 2)
        : where + " refuses calls: " + message;
  }
}
