package dev.weir.spring.internal.store;

import dev.weir.redis.RedisAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A connection to Redis as Spring applications configure it.
 *
 * @param user null for the default user
 * @param password null for none
 * @param kind "", "-sentinel" or "-cluster", as in an address
 * @param servers {@code host:port}, at least one
 * @param database 0 on a Cluster
 * @param master the name Sentinels know the master by; null unless they are the servers
 */
record RedisConnection(
    boolean tls,
    @Nullable String user,
    @Nullable String password,
    String kind,
    List<String> servers,
    int database,
    @Nullable String master) {
  static final String STANDALONE = "";
  static final String SENTINEL = "-sentinel";
  static final String CLUSTER = "-cluster";

  /** The address to open a store with; it holds the password. */
  String address() {
    return (tls ? "rediss" : "redis")
        + kind
        + "://"
        + credentials()
        + String.join(",", servers)
        + (database == 0 ? "" : "/" + database)
        + (master == null ? "" : "#" + master);
  }

  private String credentials() {
    if (password == null) {
      return "";
    }
    return (user == null ? "" : RedisAddress.encode(user))
        + ":"
        + RedisAddress.encode(password)
        + "@";
  }

  static String server(String host, int port) {
    return (host.indexOf(':') >= 0 && !host.startsWith("[") ? "[" + host + "]" : host) + ":" + port;
  }

  /** Hides the password. */
  @Override
  public String toString() {
    return "redis" + kind + " " + servers;
  }
}
