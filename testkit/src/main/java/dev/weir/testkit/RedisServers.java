package dev.weir.testkit;

import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Real Redis servers for the tests of one class: a JUnit extension.
 *
 * <pre>{@code
 * final class LoginLimitTest {
 *   @RegisterExtension static final RedisServers SERVERS = RedisServers.embedded();
 *
 *   @Test
 *   void theEleventhLoginIsDenied() {
 *     try (RedisStore store = RedisStore.connect(SERVERS.redis().uri())) {
 *       // SERVERS.cluster() and SERVERS.sentinels() are used in the same way
 *     }
 *   }
 * }
 * }</pre>
 *
 * <p>Each kind is started at its first use, shared by all tests of the class, emptied before each
 * test, and stopped after the last one. A server that a test has killed or suspended runs again in
 * the next test. What a test configures or takes apart is not restored (settings, users, a Cluster,
 * Sentinels): such a test starts its own servers. The field must be static. Used by one thread.
 */
public final class RedisServers implements BeforeAllCallback, BeforeEachCallback, AfterAllCallback {
  private static final int MASTERS = 3;

  private final Supplier<Path> binary;
  private final String[] settings;
  private @Nullable RedisProcess redis;
  private @Nullable RedisCluster cluster;
  private @Nullable RedisSentinels sentinels;

  private RedisServers(Supplier<Path> binary, String... settings) {
    this.binary = binary;
    this.settings = settings;
  }

  /** Servers of the embedded Redis: nothing has to be installed. */
  public static RedisServers embedded() {
    return new RedisServers(RedisBinary::embedded);
  }

  /**
   * The embedded Redis with settings of its own. They hold for the single server; a Cluster and
   * Sentinels have none.
   *
   * @param settings as on the server's command line: {@code "--requirepass", "secret"}
   */
  public static RedisServers with(String... settings) {
    return new RedisServers(RedisBinary::embedded, settings.clone());
  }

  /**
   * Servers of a Redis or Valkey that is installed. Without it the tests are skipped, or fail in CI
   * (see {@link ExternalPrograms}). Sentinels are always of the embedded Redis.
   *
   * @param program asked for before the first test: {@code () -> ExternalPrograms.require(...)}
   */
  public static RedisServers of(Supplier<Path> program) {
    return new RedisServers(program);
  }

  /** A single server. */
  public RedisProcess redis() {
    if (redis == null) {
      redis = RedisProcess.start(binary.get(), settings);
    }
    return redis;
  }

  /** A Cluster of three masters. */
  public RedisCluster cluster() {
    if (cluster == null) {
      cluster = RedisCluster.start(binary.get(), MASTERS);
    }
    return cluster;
  }

  /** A master, its replica, and three Sentinels. */
  public RedisSentinels sentinels() {
    if (sentinels == null) {
      sentinels = RedisSentinels.start();
    }
    return sentinels;
  }

  /** Ends the class before its first test if the program is missing. */
  @Override
  public void beforeAll(ExtensionContext tests) {
    binary.get();
  }

  @Override
  public void beforeEach(ExtensionContext test) {
    clear();
  }

  void clear() {
    if (redis != null) {
      redis.clear();
    }
    if (cluster != null) {
      cluster.masters().forEach(RedisProcess::clear);
    }
    if (sentinels != null) {
      // After a failover the other one is the master; a replica refuses to be emptied.
      sentinels.master().clear();
      sentinels.replica().clear();
    }
  }

  @Override
  public void afterAll(ExtensionContext tests) {
    stop();
  }

  void stop() {
    if (redis != null) {
      redis.close();
      redis = null;
    }
    if (cluster != null) {
      cluster.close();
      cluster = null;
    }
    if (sentinels != null) {
      sentinels.close();
      sentinels = null;
    }
  }
}
