package dev.weir.server.grpc;

import com.google.protobuf.Any;
import dev.weir.server.grpc.message.AggregatedDiscoveryServiceGrpc.AggregatedDiscoveryServiceImplBase;
import dev.weir.server.grpc.message.DiscoveryRequest;
import dev.weir.server.grpc.message.DiscoveryResponse;
import dev.weir.server.grpc.message.RateLimitConfig;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A control plane: sends what a test says, and keeps what is answered. */
final class ControlPlane extends AggregatedDiscoveryServiceImplBase implements AutoCloseable {
  private final BlockingQueue<DiscoveryRequest> received = new LinkedBlockingQueue<>();
  private final BlockingQueue<StreamObserver<DiscoveryResponse>> streams =
      new LinkedBlockingQueue<>();
  private final Server server;
  private StreamObserver<DiscoveryResponse> current;

  private ControlPlane(int port, SslContext tls) {
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", port)).addService(this);
    if (tls != null) {
      builder.sslContext(tls);
    }
    try {
      server = builder.build().start();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  static ControlPlane start(int port) {
    return new ControlPlane(port, null);
  }

  static ControlPlane start(SslContext tls) {
    return new ControlPlane(0, tls);
  }

  int port() {
    return server.getPort();
  }

  @Override
  public StreamObserver<DiscoveryRequest> streamAggregatedResources(
      StreamObserver<DiscoveryResponse> responses) {
    streams.add(responses);
    return new StreamObserver<>() {
      @Override
      public void onNext(DiscoveryRequest request) {
        received.add(request);
      }

      @Override
      public void onError(Throwable gone) {}

      @Override
      public void onCompleted() {
        responses.onCompleted();
      }
    };
  }

  /** Waits for a stream, and for its first request. */
  DiscoveryRequest connected() throws InterruptedException {
    current = streams.poll(30, TimeUnit.SECONDS);
    return next();
  }

  DiscoveryRequest next() throws InterruptedException {
    return received.poll(30, TimeUnit.SECONDS);
  }

  /** Sends a version, and waits for the answer. */
  DiscoveryRequest send(String version, RateLimitConfig... configs) throws InterruptedException {
    DiscoveryResponse.Builder response =
        DiscoveryResponse.newBuilder()
            .setVersionInfo(version)
            .setNonce("nonce-" + version)
            .setTypeUrl(XdsConfigReader.TYPE);
    for (RateLimitConfig config : configs) {
      response.addResources(
          Any.newBuilder().setTypeUrl(XdsConfigReader.TYPE).setValue(config.toByteString()));
    }
    current.onNext(response.build());
    return next();
  }

  @Override
  public void close() {
    server.shutdownNow();
    try {
      server.awaitTermination(10, TimeUnit.SECONDS);
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
  }
}
