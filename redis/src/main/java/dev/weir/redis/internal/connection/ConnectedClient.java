package dev.weir.redis.internal.connection;

import io.lettuce.core.RedisClient;
import io.lettuce.core.SslOptions;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A client that makes connections, and the timer that goes with it.
 *
 * @param owned the resources to close with the client; null if it is the caller's
 */
record ConnectedClient(RedisClient client, RetryTimer timer, @Nullable ClientResources owned) {
  private static final Duration LONGEST_CLOSE = Duration.ofSeconds(1);

  /**
   * @param isSpread whether keys are spread over several servers
   */
  static ConnectedClient of(ConnectionSettings settings, boolean isSpread) {
    if (settings.client() != null) {
      return new ConnectedClient(ClientSettings.checked(settings.client()), new RetryTimer(), null);
    }
    Optional<SslOptions> tls = TlsOptions.of(settings);
    RetryTimer timer = new RetryTimer(); // made after the options, which may be refused
    ClientResources resources = ClientSettings.resources(timer, isSpread);
    return new ConnectedClient(ClientSettings.client(settings, tls, resources), timer, resources);
  }

  ConnectionContext context(ConnectionSettings settings, List<String> scripts, Runnable changed) {
    return new ConnectionContext(
        settings, timer, client.getResources().eventExecutorGroup(), scripts, changed);
  }

  /** Closes the client after its connections; waits only if closing one of them hangs. */
  void closeAfter(List<CompletableFuture<Void>> connections) {
    CompletableFuture<Void> all =
        CompletableFuture.allOf(connections.toArray(CompletableFuture<?>[]::new));
    try {
      all.get(LONGEST_CLOSE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException hangs) {
      // the client closes the remaining connections
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (owned != null) {
      ClientSettings.shutdown(client, owned);
    }
    timer.close();
  }
}
