package dev.weir.redis.internal.connection;

import io.lettuce.core.RedisURI;
import java.util.Arrays;
import java.util.List;

/**
 * Reads an address: {@code redis://}, {@code rediss://}, {@code redis-sentinel://} as the client
 * does, and {@code redis-cluster://} or {@code rediss-cluster://} with one or more nodes.
 */
final class Address {
  private static final String CLUSTER = "-cluster://";

  private Address() {}

  static Topology topology(ConnectionSettings settings) {
    return settings.uri().contains(CLUSTER)
        ? new ClusterTopology(settings, nodes(settings.uri()))
        : new StandaloneTopology(settings, RedisURI.create(settings.uri()));
  }

  /** A node without user and password has those of the first. */
  private static List<RedisURI> nodes(String uri) {
    String scheme = uri.substring(0, uri.indexOf(CLUSTER)) + "://";
    String rest = uri.substring(uri.indexOf(CLUSTER) + CLUSTER.length());
    int at = rest.lastIndexOf('@');
    String credentials = rest.substring(0, at + 1);
    return Arrays.stream(rest.substring(at + 1).split(","))
        .map(node -> RedisURI.create(scheme + credentials + node.strip()))
        .toList();
  }
}
