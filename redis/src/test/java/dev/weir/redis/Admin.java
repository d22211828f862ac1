package dev.weir.redis;

import dev.weir.testkit.RedisProcess;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.List;

/** A second, direct way into a server under test: sets faults up and looks at what was left. */
final class Admin implements AutoCloseable {
  private final RedisClient client;
  final RedisCommands<String, String> redis;

  private Admin(String uri) {
    client = RedisClient.create(RedisURI.create(uri));
    redis = client.connect().sync();
  }

  static Admin of(RedisProcess server) {
    return new Admin(server.uri());
  }

  static Admin of(String uri) {
    return new Admin(uri);
  }

  List<String> keys() {
    return redis.keys("weir:*");
  }

  /** Forgets everything. */
  void flush() {
    redis.flushall();
  }

  /** How often a script was run since the counters were last reset. */
  long scriptCalls() {
    return redis
        .info("commandstats")
        .lines()
        .filter(line -> line.startsWith("cmdstat_evalsha:calls="))
        .mapToLong(line -> Long.parseLong(line.replaceAll("^[^=]*=([0-9]+),.*$", "$1")))
        .sum();
  }

  @Override
  public void close() {
    client.shutdown();
  }
}
