package dev.weir.redis.internal.connection;

import dev.weir.StoreUnavailableException;
import dev.weir.redis.internal.protocol.Failures;
import io.lettuce.core.api.StatefulRedisConnection;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a connection to one server, reconnecting when it is lost. Safe for many threads; nothing
 * here waits.
 *
 * <p>There is at most one {@link LiveConnection} at a time. One that ends or stops answering is
 * dropped, and new ones are attempted with growing pauses. Attempts are numbered: the connection of
 * an older attempt never replaces that of a newer one, which matters when a host name resolves to
 * another server. Every change of state is logged once.
 */
public final class NodeConnection {
  private static final System.Logger LOG = System.getLogger(NodeConnection.class.getName());
  private static final Duration SHORTEST_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);
  private static final Duration KEEP_ALIVE_PAUSE = Duration.ofSeconds(1);
  private static final Duration QUIET = Duration.ofSeconds(3);
  private static final Duration RENEWAL_PAUSE = Duration.ofSeconds(1);
  private static final int TRIES_OF_AN_ATTEMPT = 3;

  private final String address;
  private final Supplier<CompletionStage<StatefulRedisConnection<byte[], byte[]>>> dial;
  private final ConnectionContext context;
  private final CompletableFuture<Void> firstAttempt = new CompletableFuture<>();
  private final AtomicLong attempts = new AtomicLong();
  private final AtomicBoolean retrying = new AtomicBoolean();
  private final AtomicLong renewedNanos =
      new AtomicLong(System.nanoTime() - RENEWAL_PAUSE.toNanos());

  private volatile @Nullable LiveConnection live;
  private volatile @Nullable StoreUnavailableException failure;
  private volatile List<String> found = List.of();
  private volatile boolean closed;
  private long liveAttempt;
  private boolean missed;

  /**
   * @param address for messages; without the password
   * @param dial makes a connection, without waiting
   */
  NodeConnection(
      String address,
      Supplier<CompletionStage<StatefulRedisConnection<byte[], byte[]>>> dial,
      ConnectionContext context) {
    this.address = address;
    this.dial = dial;
    this.context = context;
  }

  /**
   * Starts to connect, and goes on trying until closed.
   *
   * @return completes when the first attempt has ended, and fails if it failed
   */
  CompletableFuture<Void> start() {
    keepAlive();
    attempt(dial)
        .whenComplete(
            (done, failed) -> {
              retryIfNone();
              if (failed == null) {
                firstAttempt.complete(null);
              } else {
                firstAttempt.completeExceptionally(unavailable());
              }
            });
    return firstAttempt;
  }

  /** Completes, or fails, when the first attempt to connect has ended. */
  public CompletableFuture<Void> firstAttempt() {
    return firstAttempt;
  }

  /** The connection to send calls over; null if there is none. */
  public @Nullable LiveConnection live() {
    return live;
  }

  public String address() {
    return address;
  }

  public boolean isClosed() {
    return closed;
  }

  /** Whether there is a connection on which nothing has timed out since the last answer. */
  boolean isHealthy() {
    LiveConnection current = live;
    return current != null && !current.isSuspect();
  }

  /** A new exception that says why there is no connection. */
  public StoreUnavailableException unavailable() {
    StoreUnavailableException known = failure;
    if (known == null) {
      return new StoreUnavailableException("Redis at " + address + " is not connected yet");
    }
    String message = String.valueOf(known.getMessage());
    return known.isRefusal()
        ? StoreUnavailableException.refused(message)
        : new StoreUnavailableException(message);
  }

  /** Warnings about the server: only that there is no connection, if there is none. */
  List<String> warnings() {
    return live == null ? List.of(String.valueOf(unavailable().getMessage())) : found;
  }

  /** Makes another connection beside the current one, at most once a second, and switches to it. */
  void renew() {
    long now = System.nanoTime();
    long last = renewedNanos.get();
    if (now - last >= RENEWAL_PAUSE.toNanos() && renewedNanos.compareAndSet(last, now)) {
      changeOver(dial);
    }
  }

  /** Makes another connection beside the current one, and switches to it. */
  void changeOver(Supplier<CompletionStage<StatefulRedisConnection<byte[], byte[]>>> to) {
    if (!closed) {
      attempt(to)
          .whenComplete(
              (done, failed) -> {
                if (failed != null) {
                  context.timer().after(RENEWAL_PAUSE, () -> changeOver(dial));
                }
              });
    }
  }

  private void retryIfNone() {
    if (live == null && retrying.compareAndSet(false, true)) {
      retry(SHORTEST_PAUSE);
    }
  }

  private CompletableFuture<Void> attempt(
      Supplier<CompletionStage<StatefulRedisConnection<byte[], byte[]>>> to) {
    return attempt(to, TRIES_OF_AN_ATTEMPT).whenComplete((done, failed) -> noteFailure(failed));
  }

  /** Repeats an attempt whose connection ended before the check: the server may be fine. */
  private CompletableFuture<Void> attempt(
      Supplier<CompletionStage<StatefulRedisConnection<byte[], byte[]>>> to, int tries) {
    long number = attempts.incrementAndGet();
    return dial(to)
        .thenCompose(made -> prepare(number, made))
        .exceptionallyCompose(
            failed ->
                tries > 1 && !closed && Failures.isNotConnected(failed)
                    ? attempt(to, tries - 1)
                    : CompletableFuture.failedStage(failed));
  }

  private static CompletableFuture<StatefulRedisConnection<byte[], byte[]>> dial(
      Supplier<CompletionStage<StatefulRedisConnection<byte[], byte[]>>> to) {
    try {
      return to.get().toCompletableFuture();
    } catch (RuntimeException failed) {
      return CompletableFuture.failedFuture(failed);
    }
  }

  private CompletionStage<Void> prepare(long number, StatefulRedisConnection<byte[], byte[]> made) {
    LiveConnection candidate =
        new LiveConnection(
            made,
            context.timer(),
            context.executor(),
            silent -> lost(silent, "has stopped answering"));
    candidate.whenEnded(() -> lost(candidate, "has closed the connection"));
    return ServerCheck.of(candidate, context.scripts(), context.settings().connectTimeout())
        .thenAccept(found -> use(number, candidate, withThoseOfAddress(found)))
        .whenComplete((done, failed) -> closeIfUnused(candidate));
  }

  private List<String> withThoseOfAddress(List<String> warnings) {
    return Stream.concat(context.settings().address().warnings().stream(), warnings.stream())
        .toList();
  }

  private void use(long number, LiveConnection made, List<String> warnings) {
    LiveConnection old;
    boolean first;
    synchronized (this) {
      if (closed || number < liveAttempt) {
        return;
      }
      old = live;
      first = missed || liveAttempt == 0;
      missed = false;
      liveAttempt = number;
      List<String> before = found;
      found = warnings;
      failure = null;
      live = made;
      warnings.stream()
          .filter(warning -> !before.contains(warning))
          .forEach(warning -> LOG.log(Level.WARNING, warning));
    }
    if (first) {
      LOG.log(Level.INFO, "connected to Redis at {0}", address);
    }
    if (old != null) {
      context
          .timer()
          .after(context.settings().timeout(), old::close); // calls under way may still be answered
    }
    if (!made.isOpen()) {
      lost(made, "has closed the connection");
    }
    context.changed().run();
  }

  private void closeIfUnused(LiveConnection candidate) {
    if (live != candidate) {
      candidate.close();
    }
  }

  private void noteFailure(@Nullable Throwable failed) {
    if (failed == null) {
      return;
    }
    StoreUnavailableException explained = Failures.of(failed, address, context.settings().names());
    boolean log;
    synchronized (this) {
      if (closed || live != null) {
        return;
      }
      failure = explained;
      log = !missed;
      missed = true;
    }
    if (log) {
      LOG.log(Level.WARNING, "cannot connect: {0}; trying again", explained.getMessage());
    }
  }

  private void lost(LiveConnection gone, String how) {
    synchronized (this) {
      if (closed || live != gone) {
        return;
      }
      live = null;
      missed = true;
      failure = new StoreUnavailableException("Redis at " + address + " " + how);
    }
    LOG.log(Level.WARNING, "Redis at {0} {1}; connecting again", address, how);
    gone.close();
    context.changed().run();
    retryIfNone();
  }

  private void retry(Duration pause) {
    long jitter = ThreadLocalRandom.current().nextLong(pause.toMillis()) + 1;
    context.timer().after(Duration.ofMillis(jitter), () -> attemptAgain(pause));
  }

  private void attemptAgain(Duration pause) {
    if (closed || live != null) {
      retrying.set(false);
      return;
    }
    attempt(dial)
        .whenComplete(
            (done, failed) -> {
              if (failed == null || closed) {
                retrying.set(false);
                if (!closed) {
                  retryIfNone();
                }
              } else {
                Duration longer = pause.multipliedBy(2);
                retry(longer.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : longer);
              }
            });
  }

  private void keepAlive() {
    if (closed) {
      return;
    }
    LiveConnection current = live;
    if (current != null) {
      Duration timeout = context.settings().timeout();
      current.keepAlive(
          QUIET, timeout.compareTo(KEEP_ALIVE_PAUSE) > 0 ? timeout : KEEP_ALIVE_PAUSE);
    }
    context.timer().after(KEEP_ALIVE_PAUSE, this::keepAlive);
  }

  /** Completes when the connection is closed. */
  CompletableFuture<Void> close() {
    LiveConnection open;
    synchronized (this) {
      closed = true;
      open = live;
      live = null;
      failure =
          new StoreUnavailableException("the connection to Redis at " + address + " is closed");
    }
    return open == null ? CompletableFuture.completedFuture(null) : open.close();
  }
}
