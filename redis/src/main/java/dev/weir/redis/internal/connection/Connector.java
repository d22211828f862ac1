package dev.weir.redis.internal.connection;

import dev.weir.StoreUnavailableException;
import dev.weir.redis.internal.connection.Topology.Opened;
import dev.weir.redis.internal.protocol.Failures;
import dev.weir.redis.internal.protocol.KeyNames;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one connection to servers that may come and go.
 *
 * <p>Once there was a connection, the client renews it by itself; until there is a first one, and
 * when a connection has turned out to lead to a replica, this class makes a new one.
 */
public final class Connector implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Connector.class.getName());
  private static final Duration RENEWAL_PAUSE = Duration.ofSeconds(1);

  private final Topology topology;
  private final KeyNames names;
  private final List<String> scripts;
  private final AtomicLong renewedNanos =
      new AtomicLong(System.nanoTime() - RENEWAL_PAUSE.toNanos());

  private volatile @Nullable Opened opened;
  private volatile @Nullable StoreUnavailableException lastFailure;
  private volatile List<String> warnings = List.of();
  private volatile boolean closed;

  private Connector(Topology topology, KeyNames names, List<String> scripts) {
    this.topology = topology;
    this.names = names;
    this.scripts = scripts;
  }

  public static Connector open(ConnectionSettings settings, List<String> scripts) {
    Connector connector = new Connector(Address.topology(settings), settings.names(), scripts);
    try {
      connector.connect().join();
    } catch (CompletionException failed) {
      StoreUnavailableException failure = connector.explain(failed);
      if (settings.requireServer()) {
        connector.close();
        throw failure;
      }
      LOG.log(Level.WARNING, "starting without a store: {0}", failure.getMessage());
      connector.lastFailure = failure;
      connector.tryAgain(ClientSettings.SHORTEST_DELAY);
    }
    connector.topology.whenMoved(connector::moved);
    return connector;
  }

  public Topology topology() {
    return topology;
  }

  public @Nullable Opened opened() {
    return opened;
  }

  /** What is wrong with the server; that there is no way to it, before anything else. */
  public List<String> warnings() {
    Opened current = opened;
    if (current == null) {
      return List.of(unavailable().getMessage());
    }
    return current.spread() || current.connection().isOpen()
        ? warnings
        : List.of("Redis at " + topology.address() + " is not connected");
  }

  public StoreUnavailableException unavailable() {
    StoreUnavailableException known = lastFailure;
    return known == null
        ? new StoreUnavailableException("the store at " + topology.address() + " is closed")
        : known;
  }

  /** Replaces a connection that leads to a replica, at most once a second. */
  public void renew() {
    if (mayRenew()) {
      LOG.log(Level.WARNING, "{0} is read only: looking for its master", topology.address());
      replace();
    }
  }

  /** Replaces a connection whose server was said to be the master no more, if need be later. */
  private void moved() {
    if (mayRenew()) {
      LOG.log(Level.INFO, "{0} is another server now", topology.address());
      replace();
    } else if (!closed) {
      CompletableFuture.delayedExecutor(RENEWAL_PAUSE.toMillis(), TimeUnit.MILLISECONDS)
          .execute(this::moved);
    }
  }

  private boolean mayRenew() {
    long now = System.nanoTime();
    long last = renewedNanos.get();
    return !closed
        && now - last >= RENEWAL_PAUSE.toNanos()
        && renewedNanos.compareAndSet(last, now);
  }

  /** The old connection is closed when the calls under way have had their time. */
  private void replace() {
    Opened old = opened;
    connect()
        .thenRun(
            () -> {
              if (old != null) {
                CompletableFuture.delayedExecutor(RENEWAL_PAUSE.toMillis(), TimeUnit.MILLISECONDS)
                    .execute(() -> old.connection().closeAsync());
              }
            });
  }

  private CompletableFuture<Void> connect() {
    return topology
        .open()
        .thenCompose(
            made ->
                ServerCheck.of(made, scripts)
                    .thenAccept(found -> use(made, found))
                    .whenComplete((done, failure) -> closeIfUnused(made)));
  }

  private void use(Opened made, List<String> found) {
    found.forEach(warning -> LOG.log(Level.WARNING, warning));
    synchronized (this) {
      if (!closed) {
        warnings = found;
        opened = made;
      }
    }
  }

  private void closeIfUnused(Opened made) {
    if (opened != made) {
      made.connection().closeAsync();
    }
  }

  /**
   * Gives up a connection that has stopped answering, and makes another. A connection can be dead
   * without an end: a router that has forgotten it tells nobody, and TCP alone takes a quarter of
   * an hour to notice.
   */
  public void leave(Opened silent) {
    synchronized (this) {
      if (closed || opened != silent) {
        return;
      }
      opened = null;
      lastFailure =
          new StoreUnavailableException(
              "Redis at " + topology.address() + " has stopped answering");
    }
    LOG.log(
        Level.WARNING,
        "the store at {0} has stopped answering; connecting again",
        topology.address());
    silent.connection().closeAsync();
    tryAgain(ClientSettings.SHORTEST_DELAY);
  }

  private void tryAgain(Duration delay) {
    long jitter = ThreadLocalRandom.current().nextLong(delay.toMillis()) + 1;
    CompletableFuture.delayedExecutor(jitter, TimeUnit.MILLISECONDS)
        .execute(
            () -> {
              if (!closed) {
                connect().whenComplete((done, failure) -> connected(failure, delay));
              }
            });
  }

  private void connected(@Nullable Throwable failure, Duration delay) {
    if (failure == null) {
      LOG.log(Level.INFO, "connected to the store at {0}", topology.address());
      return;
    }
    synchronized (this) {
      if (closed) {
        return;
      }
      lastFailure = explain(failure);
    }
    Duration longer = delay.multipliedBy(2);
    Duration longest = ClientSettings.LONGEST_DELAY;
    tryAgain(longer.compareTo(longest) > 0 ? longest : longer);
  }

  private StoreUnavailableException explain(Throwable failure) {
    return Failures.of(failure, topology.address(), names);
  }

  @Override
  public void close() {
    Opened open;
    synchronized (this) {
      closed = true;
      open = opened;
      opened = null;
      lastFailure = null;
    }
    if (open != null) {
      open.connection().close();
    }
    topology.close();
  }
}
