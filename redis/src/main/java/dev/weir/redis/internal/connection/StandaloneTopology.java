package dev.weir.redis.internal.connection;

import dev.weir.StoreUnavailableException;
import dev.weir.redis.internal.connection.ServerAddress.HostAndPort;
import io.lettuce.core.RedisURI;
import io.lettuce.core.codec.ByteArrayCodec;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A single server; or the master, which Sentinels are asked for at every new connection. */
final class StandaloneTopology implements Topology {
  private static final System.Logger LOG = System.getLogger(StandaloneTopology.class.getName());

  private final ConnectedClient client;
  private final String address;
  private final NodeConnection node;
  private final @Nullable SentinelWatch watch;
  private final Function<HostAndPort, RedisURI> masterUri;
  private volatile Runnable connected = () -> {};

  StandaloneTopology(ConnectionSettings settings, ServerAddress to, List<String> scripts) {
    client = ConnectedClient.of(settings, isSpread());
    address = to.description();
    RedisURI uri = to.uri(settings.connectTimeout());
    masterUri = server -> to.uri(server, settings.connectTimeout());
    node =
        new NodeConnection(
            address,
            () -> client.client().connectAsync(ByteArrayCodec.INSTANCE, uri),
            client.context(settings, scripts, this::changed));
    watch =
        to.kind() == ServerAddress.TopologyKind.SENTINEL
            ? new SentinelWatch(client, uri, to.master(), this::switched)
            : null;
  }

  @Override
  public CompletableFuture<Void> start() {
    if (watch != null) {
      watch.start();
    }
    return node.start();
  }

  private void changed() {
    if (isConnected()) {
      connected.run();
    }
  }

  /** Connects to the new master directly, because a Sentinel may still name the old one. */
  private void switched(HostAndPort master) {
    LOG.log(Level.INFO, "{0} is {1} now", address, master);
    RedisURI uri = masterUri.apply(master);
    node.changeOver(() -> client.client().connectAsync(ByteArrayCodec.INSTANCE, uri));
  }

  @Override
  public String address() {
    return address;
  }

  @Override
  public boolean isSpread() {
    return false;
  }

  @Override
  public int slot(String keyName) {
    return 0;
  }

  @Override
  public NodeConnection node(int slot) {
    return node;
  }

  @Override
  public @Nullable NodeConnection nodeAt(String hostAndPort) {
    return null;
  }

  @Override
  public void moved(int slot, String hostAndPort) {}

  @Override
  public void readOnly(int slot) {
    node.renew();
  }

  @Override
  public boolean isConnected() {
    return node.live() != null;
  }

  @Override
  public void whenConnected(Runnable task) {
    connected = task;
  }

  @Override
  public StoreUnavailableException unavailable() {
    return node.unavailable();
  }

  @Override
  public List<String> warnings() {
    return node.warnings();
  }

  @Override
  public RetryTimer timer() {
    return client.timer();
  }

  @Override
  public void close() {
    List<CompletableFuture<Void>> closing = new ArrayList<>();
    closing.add(node.close());
    if (watch != null) {
      closing.add(watch.close());
    }
    client.closeAfter(closing);
  }
}
