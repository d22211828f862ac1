package dev.weir.redis.internal.connection;

import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An address, taken apart. The password is never part of a text made from it.
 *
 * @param user null for the default user
 * @param password null for none
 * @param database 0 unless the address names one
 * @param master the name Sentinels know the master by; empty unless they are the servers
 */
public record ServerAddress(
    TopologyKind kind,
    boolean tls,
    @Nullable String user,
    @Nullable String password,
    List<HostAndPort> servers,
    int database,
    String master) {

  /** The topology that an address names. */
  public enum TopologyKind {
    STANDALONE("", 6379),
    SENTINEL("-sentinel", 26379),
    CLUSTER("-cluster", 6379);

    final String suffix;
    final int defaultPort;

    TopologyKind(String suffix, int defaultPort) {
      this.suffix = suffix;
      this.defaultPort = defaultPort;
    }
  }

  /** One server; an IPv6 address is without its brackets. */
  public record HostAndPort(String host, int port) {
    @Override
    public String toString() {
      return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }
  }

  /** For the client: of a single server, or of the Sentinels. */
  public RedisURI uri(Duration connectTimeout) {
    return kind == TopologyKind.SENTINEL
        ? sentinels(connectTimeout)
        : uri(servers.get(0), connectTimeout);
  }

  /** For the client: of one server, with the credentials of this address. */
  public RedisURI uri(HostAndPort server, Duration connectTimeout) {
    return complete(RedisURI.Builder.redis(server.host(), server.port()), connectTimeout);
  }

  private RedisURI sentinels(Duration connectTimeout) {
    HostAndPort first = servers.get(0);
    RedisURI.Builder builder = RedisURI.Builder.sentinel(first.host(), first.port(), master);
    servers.stream().skip(1).forEach(next -> builder.withSentinel(next.host(), next.port()));
    RedisURI uri = complete(builder, connectTimeout);
    uri.getSentinels().forEach(sentinel -> sentinel.setTimeout(connectTimeout));
    return uri;
  }

  private RedisURI complete(RedisURI.Builder builder, Duration connectTimeout) {
    builder.withDatabase(database).withTimeout(connectTimeout);
    if (password != null && user != null) {
      builder.withAuthentication(user, password.toCharArray());
    } else if (password != null) {
      builder.withPassword(password.toCharArray());
    }
    RedisURI uri = builder.build();
    uri.setSsl(tls);
    return uri;
  }

  /** For messages of the store. */
  public String description() {
    String names = names();
    return switch (kind) {
      case STANDALONE -> names;
      case SENTINEL -> "master " + master + " of Sentinels " + names;
      case CLUSTER -> "Cluster " + names;
    };
  }

  private String names() {
    return servers.stream().map(HostAndPort::toString).collect(Collectors.joining(","));
  }

  /** The address as it may be shown. */
  @Override
  public String toString() {
    return (tls ? "rediss" : "redis")
        + kind.suffix
        + "://"
        + (password == null ? "" : "***@")
        + names()
        + (database == 0 ? "" : "/" + database)
        + (master.isEmpty() ? "" : "#" + master);
  }
}
