package dev.weir.server.grpc;

import dev.weir.internal.schedule.Callbacks;
import dev.weir.internal.schedule.Scheduler;
import dev.weir.internal.schedule.SerialExecutor;
import dev.weir.rules.InvalidRulesException;
import dev.weir.rules.LiveRules;
import dev.weir.server.grpc.message.AggregatedDiscoveryServiceGrpc;
import dev.weir.server.grpc.message.DiscoveryRequest;
import dev.weir.server.grpc.message.DiscoveryResponse;
import dev.weir.server.grpc.message.Node;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Follows the rules that a control plane pushes over one stream (xDS, state of the world). Valid
 * rules take effect and are acknowledged; invalid ones are refused with the reason. The previous
 * rules stay in effect then, and while the control plane cannot be reached. One task runs at a
 * time.
 */
public final class XdsRules implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(XdsRules.class.getName());
  private static final long KEEP_ALIVE_SECONDS = 30;

  /** A refusal's text goes into messages and logs. */
  private static final int LONGEST_REASON = 4000;

  private final LiveRules rules;
  private final ManagedChannel channel;
  private final String nodeId;
  private final Backoff backoff;
  private final @Nullable FollowedCertificate tls;
  private final SerialExecutor executor = SerialExecutor.keepingAll(Callbacks.EXECUTOR);
  private final CompletableFuture<Void> first = new CompletableFuture<>();
  private @Nullable StreamObserver<DiscoveryRequest> requests;
  private String version = "";
  private volatile boolean away;
  private volatile boolean closed;

  private XdsRules(
      LiveRules rules,
      ManagedChannel channel,
      String nodeId,
      Backoff backoff,
      @Nullable FollowedCertificate tls) {
    this.rules = rules;
    this.channel = channel;
    this.nodeId = nodeId;
    this.backoff = backoff;
    this.tls = tls;
  }

  /** How long to wait before the next attempt: a random time between two bounds. */
  public record Backoff(Duration least, Duration most, Random random) {
    /** As the reference service waits. */
    public static Backoff usual() {
      return new Backoff(Duration.ofSeconds(10), Duration.ofSeconds(60), new Random());
    }

    long millis() {
      long span = most.toMillis() - least.toMillis();
      return least.toMillis() + (span == 0 ? 0 : (long) (random.nextDouble() * span));
    }
  }

  /**
   * Connects in the background.
   *
   * @param target host and port
   * @param tls closed with this; null for plain text
   */
  public static XdsRules start(
      LiveRules rules,
      String target,
      String nodeId,
      @Nullable FollowedCertificate tls,
      Backoff backoff) {
    NettyChannelBuilder builder =
        NettyChannelBuilder.forTarget(target).keepAliveTime(KEEP_ALIVE_SECONDS, TimeUnit.SECONDS);
    ManagedChannel channel =
        (tls == null ? builder.usePlaintext() : builder.sslContext(tls.forClient())).build();
    XdsRules started = new XdsRules(rules, channel, nodeId, backoff, tls);
    started.executor.execute(started::connect);
    return started;
  }

  /** Completes when the first rules have taken effect. */
  public CompletableFuture<Void> first() {
    return first;
  }

  private void connect() {
    if (closed) {
      return;
    }
    requests =
        AggregatedDiscoveryServiceGrpc.newStub(channel)
            .withExecutor(executor)
            .streamAggregatedResources(new Responses());
    send(request().setVersionInfo(version));
  }

  private DiscoveryRequest.Builder request() {
    return DiscoveryRequest.newBuilder()
        .setNode(Node.newBuilder().setId(nodeId).setCluster(nodeId))
        .setTypeUrl(XdsConfigReader.TYPE);
  }

  private void send(DiscoveryRequest.Builder request) {
    if (requests != null) {
      requests.onNext(request.build());
    }
  }

  /** What the control plane sends, one message at a time. */
  private final class Responses implements StreamObserver<DiscoveryResponse> {
    @Override
    public void onNext(DiscoveryResponse response) {
      if (away) {
        LOG.log(System.Logger.Level.INFO, "the control plane can be reached again");
        away = false;
      }
      String refused = take(response);
      if (refused == null) {
        version = response.getVersionInfo();
        first.complete(null);
      }
      DiscoveryRequest.Builder answer =
          request().setVersionInfo(version).setResponseNonce(response.getNonce());
      if (refused != null) {
        answer.setErrorDetail(
            DiscoveryRequest.Refusal.newBuilder()
                .setCode(Status.Code.INVALID_ARGUMENT.value())
                .setMessage(refused));
      }
      send(answer);
    }

    @Override
    public void onError(Throwable failed) {
      reconnect(reason(Status.fromThrowable(failed)));
    }

    @Override
    public void onCompleted() {
      reconnect("it ended the stream");
    }
  }

  /** Null if the rules are in effect, else why they were refused. */
  private @Nullable String take(DiscoveryResponse response) {
    try {
      rules.replace(XdsConfigReader.read("xds", response.getResourcesList()));
      return null;
    } catch (InvalidRulesException faults) {
      rules.refuse(faults);
      return shortened(faults.getMessage());
    } catch (IllegalArgumentException malformed) {
      LOG.log(
          System.Logger.Level.ERROR,
          "rules of the control plane were refused: " + malformed.getMessage());
      return shortened(malformed.getMessage());
    }
  }

  private static String shortened(@Nullable String text) {
    String reason = String.valueOf(text);
    return reason.length() <= LONGEST_REASON ? reason : reason.substring(0, LONGEST_REASON);
  }

  private static String reason(Status status) {
    Throwable cause = status.getCause();
    return status.getCode()
        + ": "
        + status.getDescription()
        + (cause == null ? "" : " (" + cause.getMessage() + ")");
  }

  /** Whether the control plane could not be reached when it was last tried. */
  public boolean isAway() {
    return away;
  }

  private void reconnect(String why) {
    requests = null;
    if (closed) {
      return;
    }
    if (!away) {
      LOG.log(
          System.Logger.Level.WARNING,
          "the control plane cannot be reached, the rules in effect stay: " + why);
    }
    away = true;
    Scheduler.after(Duration.ofMillis(backoff.millis()), executor, this::connect);
  }

  @Override
  public void close() {
    closed = true;
    channel.shutdownNow();
    if (tls != null) {
      tls.close();
    }
  }
}
