package dev.weir.redis.internal.connection;

import dev.weir.StoreUnavailableException;
import dev.weir.redis.internal.connection.ClusterView.Report;
import dev.weir.redis.internal.connection.ServerAddress.HostAndPort;
import dev.weir.redis.internal.protocol.Failures;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.codec.ByteArrayCodec;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A Redis Cluster: one connection to every server that has hash slots, and a table of which server
 * has which.
 *
 * <p>The table is read again every 15 s, and when a server says that a hash slot has moved. While a
 * server cannot be reached or does not answer, it is read twice a second, so that a replica is used
 * as soon as it has taken over. A server that cannot be reached fails only the calls for its own
 * hash slots.
 */
final class ClusterTopology implements Topology {
  private static final System.Logger LOG = System.getLogger(ClusterTopology.class.getName());
  private static final Duration TICK = Duration.ofMillis(500);
  private static final Duration REFRESH_TIMEOUT = Duration.ofSeconds(1);
  private static final int TICKS_PER_REFRESH = 30;

  private final ConnectedClient client;
  private final ConnectionContext context;
  private final ServerAddress address;
  private final Map<HostAndPort, NodeConnection> nodes = new ConcurrentHashMap<>();
  private final AtomicReferenceArray<@Nullable NodeConnection> owners =
      new AtomicReferenceArray<>(SlotHash.SLOT_COUNT);
  private final CompletableFuture<Void> ready = new CompletableFuture<>();
  private final AtomicBoolean refreshing = new AtomicBoolean();
  private volatile Set<HostAndPort> masters = Set.of();
  private volatile @Nullable Throwable refreshFailure;
  private volatile boolean unreadable;
  private volatile boolean outdated;
  private volatile boolean closed;
  private volatile Runnable connected = () -> {};
  private int ticks;

  ClusterTopology(ConnectionSettings settings, ServerAddress address, List<String> scripts) {
    this.address = address;
    client = ConnectedClient.of(settings, isSpread());
    context = client.context(settings, scripts, this::changed);
  }

  @Override
  public CompletableFuture<Void> start() {
    List<NodeConnection> seeds = connectSeeds();
    CompletableFuture.allOf(
            seeds.stream().map(NodeConnection::firstAttempt).toArray(CompletableFuture<?>[]::new))
        .whenComplete(
            (all, failed) -> {
              if (seeds.stream().allMatch(seed -> seed.live() == null)) {
                ready.completeExceptionally(unavailable());
              }
            });
    tick();
    return ready;
  }

  private List<NodeConnection> connectSeeds() {
    return address.servers().stream().map(this::connect).toList();
  }

  private NodeConnection connect(HostAndPort server) {
    NodeConnection known = nodes.get(server);
    if (known != null) {
      return known;
    }
    RedisURI uri = address.uri(server, context.settings().connectTimeout());
    NodeConnection node =
        new NodeConnection(
            server.toString(),
            () -> client.client().connectAsync(ByteArrayCodec.INSTANCE, uri),
            context);
    NodeConnection first = nodes.putIfAbsent(server, node);
    if (first != null) {
      return first;
    }
    node.start();
    return node;
  }

  /** Called when a connection was made or lost. */
  private void changed() {
    refresh();
    if (isConnected()) {
      connected.run();
    }
  }

  private void tick() {
    if (closed) {
      return;
    }
    ticks++;
    if (outdated || !isHealthy() || ticks % TICKS_PER_REFRESH == 0) {
      refresh();
    }
    context.timer().after(TICK, this::tick);
  }

  private boolean isHealthy() {
    Set<HostAndPort> known = masters;
    return !known.isEmpty()
        && known.stream().map(nodes::get).allMatch(node -> node != null && node.isHealthy());
  }

  private void refresh() {
    if (closed || !refreshing.compareAndSet(false, true)) {
      return;
    }
    outdated = false;
    List<CompletableFuture<@Nullable Report>> asked = new ArrayList<>();
    nodes.forEach((server, node) -> ask(server, node, asked));
    if (asked.isEmpty()) {
      connectSeeds();
    }
    CompletableFuture.allOf(asked.toArray(CompletableFuture<?>[]::new))
        .whenComplete((all, failure) -> read(asked));
  }

  private void read(List<CompletableFuture<@Nullable Report>> asked) {
    List<Report> reports = new ArrayList<>();
    try {
      asked.forEach(each -> add(each.join(), reports));
      use(ClusterView.of(reports));
      unreadable = false;
    } catch (RuntimeException failed) {
      keepTable(failed);
      reports.clear();
    } finally {
      refreshing.set(false);
    }
    if (!asked.isEmpty() && reports.isEmpty()) {
      ready.completeExceptionally(unavailable());
    }
  }

  /** Keeps the table after a report that cannot be parsed; the next one may be valid. */
  private void keepTable(RuntimeException failed) {
    if (!unreadable) {
      LOG.log(Level.ERROR, "the slots of " + address() + " cannot be read; trying again", failed);
    }
    unreadable = true;
    refreshFailure = failed;
  }

  private static void add(@Nullable Report report, List<Report> reports) {
    if (report != null) {
      reports.add(report);
    }
  }

  private void ask(
      HostAndPort server, NodeConnection node, List<CompletableFuture<@Nullable Report>> asked) {
    LiveConnection live = node.live();
    if (live != null && !live.isSuspect()) {
      asked.add(
          live.call(commands -> commands.clusterNodes(), REFRESH_TIMEOUT)
              .handle(
                  (text, failure) -> {
                    refreshFailure = failure;
                    return failure == null ? new Report(text, server.host()) : null;
                  }));
    }
  }

  private synchronized void use(ClusterView view) {
    Set<HostAndPort> found = view.masters();
    if (closed || found.isEmpty()) {
      return;
    }
    masters = found;
    for (int slot = 0; slot < SlotHash.SLOT_COUNT; slot++) {
      HostAndPort owner = view.owner(slot);
      owners.set(slot, owner == null ? null : connect(owner));
    }
    closeOthers(found);
    completeWhenUsable(found);
  }

  /** Closes connections to servers without hash slots: seeds, and former masters. */
  private void closeOthers(Set<HostAndPort> found) {
    if (isAnyLive(found)) {
      nodes.forEach(
          (server, node) -> {
            if (!found.contains(server) && nodes.remove(server, node)) {
              node.close();
            }
          });
    }
  }

  /** Waits for the first attempt to connect to each server; one that succeeds is enough. */
  private void completeWhenUsable(Set<HostAndPort> servers) {
    if (!ready.isDone()) {
      List<NodeConnection> owning = servers.stream().map(this::connect).toList();
      CompletableFuture.allOf(
              owning.stream()
                  .map(NodeConnection::firstAttempt)
                  .toArray(CompletableFuture<?>[]::new))
          .whenComplete((all, failed) -> completeIfAnyIsConnected(owning));
    }
  }

  private void completeIfAnyIsConnected(List<NodeConnection> owning) {
    if (owning.stream().anyMatch(node -> node.live() != null)) {
      ready.complete(null);
    } else {
      ready.completeExceptionally(unavailable());
    }
  }

  @Override
  public String address() {
    return address.description();
  }

  @Override
  public boolean isSpread() {
    return true;
  }

  @Override
  public int slot(String keyName) {
    return Topology.clusterSlot(keyName);
  }

  @Override
  public @Nullable NodeConnection node(int slot) {
    return owners.get(slot);
  }

  @Override
  public @Nullable NodeConnection nodeAt(String hostAndPort) {
    HostAndPort server = ClusterView.server(hostAndPort, address.servers().get(0).host());
    return closed ? null : connect(server);
  }

  @Override
  public void moved(int slot, String hostAndPort) {
    NodeConnection owner = nodeAt(hostAndPort);
    if (owner != null) {
      owners.set(slot, owner);
    }
    outdated = true;
  }

  @Override
  public void readOnly(int slot) {
    outdated = true;
  }

  @Override
  public boolean isConnected() {
    return isAnyLive(masters);
  }

  private boolean isAnyLive(Set<HostAndPort> servers) {
    return servers.stream().map(nodes::get).anyMatch(node -> node != null && node.live() != null);
  }

  @Override
  public void whenConnected(Runnable task) {
    connected = task;
  }

  @Override
  public StoreUnavailableException unavailable() {
    String reasons =
        nodes.values().stream()
            .filter(node -> node.live() == null)
            .map(node -> String.valueOf(node.unavailable().getMessage()))
            .sorted()
            .collect(Collectors.joining("; "));
    Throwable refresh = refreshFailure;
    if (reasons.isEmpty() && refresh != null) {
      return Failures.of(refresh, address(), context.settings().names());
    }
    return new StoreUnavailableException(
        reasons.isEmpty() ? "no server of " + address() + " is known for the key" : reasons);
  }

  @Override
  public List<String> warnings() {
    Set<HostAndPort> known = masters;
    if (known.isEmpty()) {
      return List.of(String.valueOf(unavailable().getMessage()));
    }
    return known.stream()
        .map(nodes::get)
        .filter(node -> node != null)
        .flatMap(node -> node.warnings().stream())
        .distinct()
        .toList();
  }

  @Override
  public RetryTimer timer() {
    return client.timer();
  }

  @Override
  public void close() {
    closed = true;
    client.closeAfter(nodes.values().stream().map(NodeConnection::close).toList());
  }
}
