package dev.weir.redis.internal.connection;

import dev.weir.redis.RedisTls;
import dev.weir.redis.RedisTls.Verification;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslVerifyMode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A parsed address. No text made from it contains the password.
 *
 * @param user null for the default user
 * @param password null for none
 * @param database 0 unless the address names one
 * @param master the Sentinels' name of the master; empty if the servers are not Sentinels
 * @param verification how servers' certificates are checked; {@code FULL} without TLS
 */
public record ServerAddress(
    TopologyKind kind,
    boolean tls,
    @Nullable String user,
    @Nullable String password,
    List<HostAndPort> servers,
    int database,
    String master,
    Verification verification) {

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

  /** The same address, with the verification of the TLS options if there are any. */
  public ServerAddress with(Optional<RedisTls> options) {
    return new ServerAddress(
        kind,
        tls,
        user,
        password,
        servers,
        database,
        master,
        options.flatMap(RedisTls::verification).orElse(verification));
  }

  /** The address of the single server, or of the Sentinels, for the client. */
  public RedisURI uri(Duration connectTimeout) {
    return kind == TopologyKind.SENTINEL
        ? sentinels(connectTimeout)
        : uri(servers.get(0), connectTimeout);
  }

  /** The address of one server for the client, with the credentials of this address. */
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
    uri.setVerifyPeer(SslVerifyMode.valueOf(verification.name()));
    return uri;
  }

  /** What an operator should know about the address itself. */
  public List<String> warnings() {
    return switch (verification) {
      case FULL -> List.of();
      case CA ->
          List.of(
              "the host name in the certificate of Redis is not checked (verifyPeer=CA): whoever"
                  + " has a certificate of the same authority can pose as the server and read the"
                  + " password; give the server a certificate that names its host");
      case NONE ->
          List.of(
              "the certificate of Redis is not checked (verifyPeer=NONE): whoever is on the way to"
                  + " the server can pose as it, read the password and change every answer; name"
                  + " the authority of the certificate instead");
    };
  }

  /** The address in the form that messages of the store use. */
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
        + (verification == Verification.FULL ? "" : "?verifyPeer=" + verification)
        + (master.isEmpty() ? "" : "#" + master);
  }
}
