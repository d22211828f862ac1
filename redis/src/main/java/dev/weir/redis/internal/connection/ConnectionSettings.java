package dev.weir.redis.internal.connection;

import dev.weir.redis.RedisTls;
import dev.weir.redis.internal.protocol.KeyNames;
import io.lettuce.core.RedisClient;
import io.lettuce.core.SslOptions;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How to connect, from the builder of the store.
 *
 * @param client the caller's own, or null to make one
 * @param tls certificates other than those of the JVM, and how servers' certificates are checked
 * @param sslOptions the caller's own, instead of files
 * @param timeout of one script call
 * @param connectTimeout of connecting, and of each check of a new connection
 * @param maxInFlight calls that may wait for an answer at once
 * @param requireServer whether opening fails if no server can be reached
 */
public record ConnectionSettings(
    String uri,
    @Nullable RedisClient client,
    Optional<RedisTls> tls,
    Optional<SslOptions> sslOptions,
    KeyNames names,
    Duration timeout,
    Duration connectTimeout,
    int maxInFlight,
    boolean requireServer) {
  /** The parsed address, with the TLS options of these settings. */
  ServerAddress address() {
    return AddressParser.parse(uri).with(tls);
  }
}
