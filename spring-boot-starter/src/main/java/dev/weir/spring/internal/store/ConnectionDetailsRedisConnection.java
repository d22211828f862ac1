package dev.weir.spring.internal.store;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Node;
import org.springframework.boot.ssl.SslBundle;

/**
 * The application's Redis from a bean of connection details, as Testcontainers and Docker Compose
 * define one.
 */
public final class ConnectionDetailsRedisConnection implements RedisConnectionSource {
  private final DataRedisConnectionDetails details;

  public ConnectionDetailsRedisConnection(DataRedisConnectionDetails details) {
    this.details = details;
  }

  @Override
  public Optional<String> address(boolean required) {
    return Optional.of(connection().address());
  }

  @Override
  public Optional<Supplier<SslBundle>> sslBundle() {
    SslBundle bundle = details.getSslBundle();
    return bundle == null
        ? Optional.empty()
        : Optional.of(() -> Objects.requireNonNullElse(details.getSslBundle(), bundle));
  }

  private RedisConnection connection() {
    if (details.getSentinel() != null) {
      DataRedisConnectionDetails.Sentinel sentinel = details.getSentinel();
      return connection(
          RedisConnection.SENTINEL,
          servers(sentinel.getNodes()),
          sentinel.getDatabase(),
          sentinel.getMaster());
    }
    if (details.getCluster() != null) {
      return connection(RedisConnection.CLUSTER, servers(details.getCluster().getNodes()), 0, null);
    }
    DataRedisConnectionDetails.Standalone server = details.getStandalone();
    if (server == null) {
      throw new IllegalStateException(
          "the connection details of the application name no Redis server; set weir.store");
    }
    List<String> servers = List.of(RedisConnection.server(server.getHost(), server.getPort()));
    return connection(RedisConnection.STANDALONE, servers, server.getDatabase(), null);
  }

  private RedisConnection connection(
      String kind, List<String> servers, int database, @Nullable String master) {
    return new RedisConnection(
        details.getSslBundle() != null,
        details.getUsername(),
        details.getPassword(),
        kind,
        servers,
        database,
        master);
  }

  private static List<String> servers(List<Node> nodes) {
    return nodes.stream().map(node -> RedisConnection.server(node.host(), node.port())).toList();
  }
}
