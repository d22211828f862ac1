package dev.weir.benchmarks.redis.client;

import dev.weir.benchmarks.redis.client.LimiterClient.PermitBudget;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** One EVALSHA per decision over one connection, as one would call a script of one's own. */
public final class ScriptClient implements LimiterClient {
  private final LettuceConnection<byte[], byte[]> lettuce;
  private final RedisAsyncCommands<byte[], byte[]> commands;
  private final String sha;
  private final ArgumentLayout layout;

  /** The keys and arguments of a script. */
  private interface ArgumentLayout {
    byte[][] keys(String key);

    byte[][] arguments();
  }

  private ScriptClient(String uri, String script, ArgumentLayout layout) {
    lettuce = new LettuceConnection<>(uri, ByteArrayCodec.INSTANCE);
    commands = lettuce.connection().async();
    sha = lettuce.connection().sync().scriptLoad(read(script));
    this.layout = layout;
  }

  /** Decides nothing. */
  public static ScriptClient returningOne(String uri) {
    byte[][] none = {};
    return new ScriptClient(uri, "return_one.lua", layout("one:", none));
  }

  /** A token bucket with GET and SET PX, by the client's clock. */
  public static ScriptClient plainBucket(String uri, PermitBudget budget) {
    byte[] capacity = ascii(budget.permits);
    byte[] gap =
        ascii((double) TimeUnit.NANOSECONDS.toMicros(budget.period.toNanos()) / budget.permits);
    byte[] one = ascii(1);
    return new ScriptClient(
        uri,
        "plain_bucket.lua",
        new ArgumentLayout() {
          @Override
          public byte[][] keys(String key) {
            return new byte[][] {ascii("plain:" + key)};
          }

          @Override
          public byte[][] arguments() {
            return new byte[][] {ascii(System.currentTimeMillis() * 1000), capacity, gap, one};
          }
        });
  }

  /** Spring Cloud Gateway's script, which has no rates below one per second. */
  public static ScriptClient gateway(String uri, PermitBudget budget) {
    long rate = Math.max(1, budget.permits / budget.period.toSeconds());
    byte[][] arguments = {ascii(rate), ascii(budget.permits), ascii(1)};
    return new ScriptClient(
        uri,
        "gateway.lua",
        new ArgumentLayout() {
          @Override
          public byte[][] keys(String key) {
            return new byte[][] {
              ascii("gateway.{" + key + "}.tokens"), ascii("gateway.{" + key + "}.timestamp")
            };
          }

          @Override
          public byte[][] arguments() {
            return arguments;
          }
        });
  }

  private static ArgumentLayout layout(String prefix, byte[][] arguments) {
    return new ArgumentLayout() {
      @Override
      public byte[][] keys(String key) {
        return new byte[][] {ascii(prefix + key)};
      }

      @Override
      public byte[][] arguments() {
        return arguments;
      }
    };
  }

  @Override
  public boolean tryAcquire(String key) {
    return allowed(send(key).toCompletableFuture().join());
  }

  @Override
  public CompletionStage<Boolean> ask(String key) {
    return send(key).thenApply(ScriptClient::allowed);
  }

  private CompletionStage<Object> send(String key) {
    return commands.evalsha(sha, ScriptOutputType.OBJECT, layout.keys(key), layout.arguments());
  }

  private static boolean allowed(Object answer) {
    Object first = answer instanceof List<?> parts ? parts.get(0) : answer;
    return (Long) first == 1;
  }

  @Override
  public void close() {
    lettuce.close();
  }

  private static byte[] ascii(Object value) {
    return value.toString().getBytes(StandardCharsets.US_ASCII);
  }

  private static String read(String name) {
    try (InputStream in = ScriptClient.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("missing script " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  /** One connection of a Lettuce client of its own, with Lettuce's defaults. */
  static final class LettuceConnection<K, V> implements AutoCloseable {
    private final RedisClient client;
    private final StatefulRedisConnection<K, V> connection;

    LettuceConnection(String uri, RedisCodec<K, V> codec) {
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
}
