package dev.weir.redis.internal.script;

import dev.weir.redis.internal.protocol.ScriptReply;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Which servers of a Cluster accept calls across their hash slots. Redis and Valkey do; a service
 * that only looks like a Cluster may refuse every key that a call does not name. Such a server gets
 * calls for one hash slot each, and is tried again after a minute. Safe for many threads.
 */
final class CrossSlotSupport {
  private static final long PAUSE_NANOS = Duration.ofMinutes(1).toNanos();

  private final LongSupplier nanoTime;
  private final Map<String, Long> refusedNanos = new ConcurrentHashMap<>();

  CrossSlotSupport(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  boolean isAllowed(String server) {
    Long refused = refusedNanos.get(server);
    return refused == null || nanoTime.getAsLong() - refused >= PAUSE_NANOS;
  }

  /** Notes the replies to a call across hash slots: the first key is named, the others are not. */
  void answered(String server, Collection<ScriptReply> replies) {
    long refused = replies.stream().filter(ScriptReply::refusedKey).count();
    if (refused >= replies.size() - 1) {
      refusedNanos.put(server, nanoTime.getAsLong());
    } else if (!refusedNanos.isEmpty()) {
      refusedNanos.remove(server);
    }
  }
}
