package dev.weir.redis.internal.connection;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.resource.ClientResources;
import io.netty.util.Timer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A single server, or the master that Sentinels name; they are asked at every new connection. */
final class StandaloneTopology implements Topology {
  private final RedisURI uri;
  private final String address;
  private final Timer timer = ClientSettings.timer();
  private final RedisClient client;
  private final @Nullable ClientResources ownedResources;
  private @Nullable SentinelWatch watch;

  StandaloneTopology(ConnectionSettings settings, RedisURI uri) {
    this.uri = uri;
    this.address = address(uri);
    uri.setTimeout(settings.connectTimeout()); // of the handshake
    if (settings.client() == null) {
      ownedResources = ClientSettings.resources(timer);
      client = RedisClient.create(ownedResources);
      client.setOptions(ClientSettings.apply(settings, ClientOptions.builder()).build());
    } else {
      ownedResources = null;
      client = settings.client();
    }
  }

  @Override
  public CompletableFuture<Opened> open() {
    return client
        .connectAsync(ByteArrayCodec.INSTANCE, uri)
        .toCompletableFuture()
        .thenApply(made -> new Opened(false, made, made.async(), made.async()));
  }

  @Override
  public void whenMoved(Runnable moved) {
    if (!uri.getSentinels().isEmpty()) {
      watch = SentinelWatch.start(client, uri, moved);
    }
  }

  @Override
  public String address() {
    return address;
  }

  private static String address(RedisURI uri) {
    if (uri.getSentinels().isEmpty()) {
      return uri.getHost() + ":" + uri.getPort();
    }
    String sentinels =
        uri.getSentinels().stream()
            .map(each -> each.getHost() + ":" + each.getPort())
            .collect(Collectors.joining(","));
    return "master " + uri.getSentinelMasterId() + " of Sentinels " + sentinels;
  }

  @Override
  public void close() {
    if (watch != null) {
      watch.close();
    }
    if (ownedResources != null) {
      client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
      ClientSettings.shutdown(ownedResources);
    }
    timer.stop();
  }
}
