package dev.weir.redis.internal.connection;

import io.lettuce.core.RedisClient;
import io.lettuce.core.resource.ClientResources;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A client that makes connections, and the timer that goes with it.
 *
 * @param owned the resources to close with the client; null if it is the caller's
 */
record ConnectedClient(RedisClient client, RetryTimer timer, @Nullable ClientResources owned)
    implements AutoCloseable {

  static ConnectedClient of(ConnectionSettings settings) {
    if (settings.client() != null) {
      return new ConnectedClient(ClientSettings.checked(settings.client()), new RetryTimer(), null);
    }
    RetryTimer timer = new RetryTimer();
    ClientResources resources = ClientSettings.resources(timer);
    return new ConnectedClient(ClientSettings.client(settings, resources), timer, resources);
  }

  ConnectionContext context(ConnectionSettings settings, List<String> scripts, Runnable changed) {
    return new ConnectionContext(
        settings, timer, client.getResources().eventExecutorGroup(), scripts, changed);
  }

  @Override
  public void close() {
    if (owned != null) {
      ClientSettings.shutdown(client, owned);
    }
    timer.close();
  }
}
