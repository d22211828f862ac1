package dev.weir.server.grpc;

import dev.weir.internal.schedule.RepeatingTask;
import dev.weir.internal.schedule.Workers;
import dev.weir.server.connection.ConnectionRegistry;
import dev.weir.server.envoy.AnswerDetails;
import dev.weir.server.envoy.DescriptorService;
import dev.weir.server.grpc.message.RateLimitServiceGrpc;
import dev.weir.server.http.RequestMemory;
import dev.weir.server.http.WaitingRequests;
import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.protobuf.services.ProtoReflectionService;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Serves Envoy's protocol, health and reflection over gRPC. Calls run on the event loops, as those
 * of HTTP do. Safe for many threads.
 */
public final class GrpcServer implements AutoCloseable {
  /** As much as a question over HTTP may have; proxies send some hundred bytes. */
  private static final int MAX_MESSAGE_BYTES = 1 << 16;

  private static final int MAX_HEADER_BYTES = 1 << 14;
  private static final int MAX_CALLS_PER_CONNECTION = 100;

  /** How many bytes a connection may send before they are read; the initial window of HTTP/2. */
  private static final int WINDOW_BYTES = 65_535;

  private static final Duration POLL_INTERVAL = Duration.ofSeconds(1);
  private static final long KEEP_ALIVE_SECONDS = 60;
  private static final long KEEP_ALIVE_TIMEOUT_SECONDS = 20;
  private static final long LEAST_PING_SECONDS = 10;
  private static final long GRACE_SECONDS = 30;
  private static final long LAST_CALLS_SECONDS = 5;

  /**
   * Logs a stack trace for every malformed message and every connection that breaks, so clients
   * could flood the log; its level is raised. Kept in a field, because the JDK holds loggers weakly
   * and would lose the level.
   */
  private static final Logger CLIENT_MISTAKES = Logger.getLogger("io.grpc.netty");

  private final Server server;
  private final HealthStatusManager health;
  private final GrpcConnections connections;
  private final RepeatingTask endLate;
  private final @Nullable FollowedCertificate tls;

  private GrpcServer(
      Server server,
      HealthStatusManager health,
      GrpcConnections connections,
      RepeatingTask endLate,
      @Nullable FollowedCertificate tls) {
    this.server = server;
    this.health = health;
    this.connections = connections;
    this.endLate = endLate;
    this.tls = tls;
  }

  /**
   * Where and how to listen.
   *
   * @param tls closed with the server; null for plain text
   */
  public record Listening(
      String host, int port, @Nullable FollowedCertificate tls, Duration maxConnectionAge) {}

  /**
   * What the calls under way may take, shared with HTTP.
   *
   * @param callTime how long a message, a handshake, or the reading of an answer may take
   * @param idleTime after which a connection without calls is closed
   */
  public record Bounds(
      WaitingRequests waiting,
      RequestMemory memory,
      ConnectionRegistry connections,
      Duration callTime,
      Duration idleTime) {}

  /**
   * @throws IllegalStateException if the port cannot be opened
   */
  public static GrpcServer start(
      Listening at, DescriptorService service, AnswerDetails details, Bounds bounds) {
    CLIENT_MISTAKES.setLevel(Level.SEVERE);
    HealthStatusManager health = new HealthStatusManager();
    GrpcConnections connections = new GrpcConnections(bounds.connections);
    OpenCallRegistry calls = new OpenCallRegistry(bounds.memory, bounds.callTime, System::nanoTime);
    InetSocketAddress address = new InetSocketAddress(at.host, at.port);
    NettyServerBuilder builder =
        bounded(connections.configure(NettyServerBuilder.forAddress(address)), at, bounds)
            .directExecutor()
            .addStreamTracerFactory(calls)
            .intercept(calls)
            .addService(new RateLimitEndpoint(service, details, bounds.waiting))
            .addService(health.getHealthService())
            .addService(ProtoReflectionServiceV1.newInstance())
            .addService(olderReflection());
    if (at.tls != null) {
      builder.sslContext(at.tls.forServer());
    }
    try {
      Server server = builder.build().start();
      RepeatingTask endLate =
          new RepeatingTask("ending late calls", Workers.EXECUTOR, calls::endLate)
              .start(POLL_INTERVAL);
      GrpcServer started = new GrpcServer(server, health, connections, endLate, at.tls);
      started.ready(true);
      return started;
    } catch (IOException taken) {
      connections.close();
      if (at.tls != null) {
        at.tls.close();
      }
      throw new IllegalStateException(
          "cannot listen on " + at.host + ":" + at.port + " for gRPC: " + reason(taken), taken);
    }
  }

  /** For clients that know reflection only by its first name, {@code v1alpha}. */
  @SuppressWarnings("deprecation")
  private static BindableService olderReflection() {
    return ProtoReflectionService.newInstance();
  }

  private static NettyServerBuilder bounded(
      NettyServerBuilder builder, Listening at, Bounds bounds) {
    return builder
        .maxInboundMessageSize(MAX_MESSAGE_BYTES)
        .maxInboundMetadataSize(MAX_HEADER_BYTES)
        .maxConcurrentCallsPerConnection(MAX_CALLS_PER_CONNECTION)
        .flowControlWindow(WINDOW_BYTES)
        .handshakeTimeout(bounds.callTime.toMillis(), TimeUnit.MILLISECONDS)
        .maxConnectionIdle(bounds.idleTime.toMillis(), TimeUnit.MILLISECONDS)
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
    endLate.close();
    connections.close();
    if (tls != null) {
      tls.close();
    }
  }
}
