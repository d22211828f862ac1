package dev.weir.benchmarks.redis.client;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.RedisCodec;
import java.time.Duration;

/** One connection of a Lettuce client of its own, with Lettuce's defaults. */
final class Lettuce<K, V> implements AutoCloseable {
  private final RedisClient client;
  private final StatefulRedisConnection<K, V> connection;

  Lettuce(String uri, RedisCodec<K, V> codec) {
    client = RedisClient.create(uri);
    connection = client.connect(codec);
  }

  StatefulRedisConnection<K, V> connection() {
    return connection;
  }

  @Override
  public void close() {
    connection.close();
    client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
  }
}
