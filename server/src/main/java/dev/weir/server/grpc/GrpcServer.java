package dev.weir.server.grpc;

import dev.weir.server.envoy.AnswerDetails;
import dev.weir.server.envoy.DescriptorService;
import dev.weir.server.grpc.message.RateLimitServiceGrpc;
import dev.weir.server.http.InFlight;
import io.grpc.Server;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Serves Envoy's protocol, health and reflection over gRPC. Calls run on the event loops, as those
 * of HTTP do. Safe for many threads.
 */
public final class GrpcServer implements AutoCloseable {
  private static final int MOST_MESSAGE_BYTES = 1 << 18;
  private static final int MOST_HEADER_BYTES = 1 << 14;
  private static final int MOST_CALLS_PER_CONNECTION = 1000;
  private static final long KEEP_ALIVE_SECONDS = 60;
  private static final long KEEP_ALIVE_TIMEOUT_SECONDS = 20;
  private static final long LEAST_PING_SECONDS = 10;
  private static final long GRACE_SECONDS = 30;
  private static final long LAST_CALLS_SECONDS = 5;

  private final Server server;
  private final HealthStatusManager health;

  private GrpcServer(Server server, HealthStatusManager health) {
    this.server = server;
    this.health = health;
  }

  /**
   * Where and how to listen.
   *
   * @param tls null for plain text
   */
  public record Listening(
      String host, int port, @Nullable SslContext tls, Duration maxConnectionAge) {}

  /**
   * @throws IllegalStateException if the port cannot be opened
   */
  public static GrpcServer start(
      Listening at, DescriptorService service, AnswerDetails details, InFlight inFlight) {
    HealthStatusManager health = new HealthStatusManager();
    NettyServerBuilder builder =
        bounded(NettyServerBuilder.forAddress(new InetSocketAddress(at.host, at.port)), at)
            .directExecutor()
            .addService(new RateLimitEndpoint(service, details, inFlight))
            .addService(health.getHealthService())
            .addService(ProtoReflectionServiceV1.newInstance());
    if (at.tls != null) {
      builder.sslContext(at.tls);
    }
    try {
      GrpcServer started = new GrpcServer(builder.build().start(), health);
      started.ready(true);
      return started;
    } catch (IOException taken) {
      throw new IllegalStateException(
          "cannot listen on " + at.host + ":" + at.port + " for gRPC: " + reason(taken), taken);
    }
  }

  private static NettyServerBuilder bounded(NettyServerBuilder builder, Listening at) {
    return builder
        .maxInboundMessageSize(MOST_MESSAGE_BYTES)
        .maxInboundMetadataSize(MOST_HEADER_BYTES)
        .maxConcurrentCallsPerConnection(MOST_CALLS_PER_CONNECTION)
        .keepAliveTime(KEEP_ALIVE_SECONDS, TimeUnit.SECONDS)
        .keepAliveTimeout(KEEP_ALIVE_TIMEOUT_SECONDS, TimeUnit.SECONDS)
        .permitKeepAliveTime(LEAST_PING_SECONDS, TimeUnit.SECONDS)
        .permitKeepAliveWithoutCalls(true)
        .maxConnectionAge(at.maxConnectionAge.toMillis(), TimeUnit.MILLISECONDS)
        .maxConnectionAgeGrace(GRACE_SECONDS, TimeUnit.SECONDS);
  }

  private static String reason(IOException failed) {
    Throwable cause = failed.getCause() == null ? failed : failed.getCause();
    return String.valueOf(cause.getMessage());
  }

  public int port() {
    return server.getPort();
  }

  /** What health checks are answered, for the whole server and for the rate-limit service. */
  public void ready(boolean ready) {
    ServingStatus status = ready ? ServingStatus.SERVING : ServingStatus.NOT_SERVING;
    health.setStatus(HealthStatusManager.SERVICE_NAME_ALL_SERVICES, status);
    health.setStatus(RateLimitServiceGrpc.SERVICE_NAME, status);
    health.setStatus("ratelimit", status); // as the reference service calls itself
  }

  /** Takes no more calls, lets those under way end, and stops. */
  @Override
  public void close() {
    server.shutdown();
    try {
      if (!server.awaitTermination(LAST_CALLS_SECONDS, TimeUnit.SECONDS)) {
        server.shutdownNow();
      }
    } catch (InterruptedException hurried) {
      server.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
