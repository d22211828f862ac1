package dev.weir.benchmarks.redis;

import dev.weir.benchmarks.redis.client.LimiterClient;
import dev.weir.testkit.RedisProcess;

/**
 * What one limited key takes of the server's memory, with its name and all that is kept for it.
 *
 * @param fresh bytes after one admission
 * @param used bytes after {@value #ADMISSIONS} admissions
 */
record KeySizes(long fresh, long used) {
  static final int ADMISSIONS = 100;

  static KeySizes take(LimiterClient client, RedisProcess redis) {
    return new KeySizes(bytes(client, redis, "once", 1), bytes(client, redis, "often", ADMISSIONS));
  }

  private static long bytes(LimiterClient client, RedisProcess redis, String key, int admissions) {
    for (String before : redis.commandList("KEYS", pattern(key))) {
      redis.command("DEL", before);
    }
    for (int i = 0; i < admissions; i++) {
      client.tryAcquire(key);
    }
    return redis.commandList("KEYS", pattern(key)).stream()
        .mapToLong(name -> integer(redis.command("MEMORY", "USAGE", name, "SAMPLES", "0")))
        .sum();
  }

  private static String pattern(String key) {
    return "*" + key + "*";
  }

  /** A reply that is an integer begins with a colon, and one that is nil is not a number. */
  private static long integer(String reply) {
    return reply.startsWith(":") ? Long.parseLong(reply.substring(1)) : 0;
  }
}
