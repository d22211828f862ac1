package dev.weir.redis.internal.diagnosis;

import static dev.weir.redis.RedisDiagnosis.Severity.FAILURE;
import static dev.weir.redis.RedisDiagnosis.Severity.OK;
import static dev.weir.redis.RedisDiagnosis.Severity.UNKNOWN;
import static dev.weir.redis.RedisDiagnosis.Severity.WARNING;

import dev.weir.redis.RedisDiagnosis.Finding;
import dev.weir.redis.RedisTls;
import dev.weir.redis.internal.connection.ServerAddress;
import dev.weir.redis.internal.connection.ServerAddress.HostAndPort;
import dev.weir.redis.internal.connection.ServerAddress.TopologyKind;
import dev.weir.redis.internal.connection.TlsOptions;
import dev.weir.redis.internal.protocol.Failures;
import dev.weir.redis.internal.protocol.KeyNames;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Connects to the servers of one address, one after the other, and collects the findings. */
public final class Examination {
  private final ServerAddress address;
  private final KeyNames names;
  private final Duration timeout;
  private final RedisClient client;
  private final List<Finding> findings = new ArrayList<>();

  private Examination(ServerAddress address, KeyNames names, Duration timeout, RedisClient client) {
    this.address = address;
    this.names = names;
    this.timeout = timeout;
    this.client = client;
  }

  public static List<Finding> of(
      ServerAddress address, Optional<RedisTls> tls, KeyNames names, Duration timeout) {
    ClientOptions.Builder options =
        ClientOptions.builder()
            .autoReconnect(false)
            .timeoutOptions(TimeoutOptions.enabled(timeout))
            .socketOptions(SocketOptions.builder().connectTimeout(timeout).build());
    tls.ifPresent(files -> options.sslOptions(TlsOptions.of(files, address)));
    RedisClient client = RedisClient.create();
    client.setOptions(options.build());
    try {
      Examination examination = new Examination(address.with(tls), names, timeout, client);
      examination.run();
      return List.copyOf(examination.findings);
    } finally {
      client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    }
  }

  private void run() {
    if (address.kind() == TopologyKind.CLUSTER) {
      cluster();
    } else {
      FindingList about = new FindingList(address.description());
      connected(about, address.uri(timeout), commands -> server(commands, "doctor", about));
    }
  }

  /** Runs the checks on a connection; a failure of the connection is a finding, too. */
  private boolean connected(
      FindingList about, RedisURI uri, Consumer<RedisCommands<String, String>> checks) {
    try (StatefulRedisConnection<String, String> connection = client.connect(uri)) {
      checks.accept(connection.sync());
      return true;
    } catch (RedisException failure) {
      String message = Failures.of(failure, about.server(), names).getMessage();
      about.add(FAILURE, "connection", String.valueOf(message));
      return false;
    } finally {
      findings.addAll(about.toList());
    }
  }

  private void cluster() {
    for (HostAndPort seed : address.servers()) {
      FindingList shape = new FindingList(address.description());
      List<ClusterFindings> seen = new ArrayList<>();
      boolean answered =
          connected(
              shape,
              address.uri(seed, timeout),
              commands -> clusterNodes(commands, seed, shape).ifPresent(seen::add));
      seen.forEach(this::masters);
      if (answered) {
        return;
      }
    }
  }

  private static Optional<ClusterFindings> clusterNodes(
      RedisCommands<String, String> commands, HostAndPort seed, FindingList shape) {
    Reply<String> nodes = Reply.of(commands::clusterNodes);
    if (nodes.value() == null) {
      shape.add(FAILURE, "cluster", "CLUSTER NODES is refused: " + nodes.error());
      return Optional.empty();
    }
    ClusterFindings cluster = new ClusterFindings(nodes.value(), seed.host());
    cluster.addTo(shape);
    return Optional.of(cluster);
  }

  private void masters(ClusterFindings cluster) {
    for (HostAndPort master : cluster.masters()) {
      FindingList about = new FindingList(master.toString());
      String tag = cluster.tagOn(master, names);
      connected(about, address.uri(master, timeout), commands -> server(commands, tag, about));
    }
  }

  private void server(RedisCommands<String, String> commands, String tag, FindingList about) {
    about.add(OK, "connection", address.tls() ? "answers, over TLS" : "answers, without TLS");
    address.warnings().forEach(warning -> about.add(WARNING, "certificate", warning));
    Reply<String> info = Reply.of(commands::info);
    if (info.value() == null) {
      about.add(FAILURE, "version", "INFO is refused, and needed at the start: " + info.error());
    } else {
      ServerInfo read = ServerInfo.parse(info.value());
      new ServerFindings(read, about).addAll(saving(commands));
      mode(read, about);
    }
    new ScriptFindings(commands, names, tag, about).addAll();
  }

  /** Managed services refuse CONFIG. */
  private static Optional<String> saving(RedisCommands<String, String> commands) {
    return Optional.ofNullable(Reply.of(() -> commands.configGet("save")).value())
        .map(values -> values.get("save"));
  }

  private void mode(ServerInfo info, FindingList about) {
    if (address.kind() == TopologyKind.CLUSTER) {
      return;
    }
    if (info.text("cluster_enabled").isEmpty()) {
      about.add(UNKNOWN, "shape", "the server does not say whether it belongs to a Cluster");
    } else if (info.is("cluster_enabled", "1")) {
      about.add(
          FAILURE,
          "shape",
          "a node of a Cluster; use an address that begins with redis-cluster://");
    } else {
      about.add(
          OK,
          "shape",
          address.kind() == TopologyKind.SENTINEL ? "master named by Sentinels" : "single server");
    }
  }
}
