package dev.weir.server.grpc;

import dev.weir.server.grpc.message.RateLimitRequest;
import dev.weir.server.grpc.message.RateLimitServiceGrpc;
import dev.weir.server.grpc.message.RateLimitServiceGrpc.RateLimitServiceBlockingStub;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;

/** Sends calls over gRPC, as a proxy does, to a service that warms up. */
public final class GrpcWarmUp {
  private static final int KEYS = 100;

  /** Extra time for the last call, so that a call that begins in time does not fail. */
  private static final long LAST_NANOS = 1_000_000_000L;

  private GrpcWarmUp() {}

  /**
   * Sends one call after the other over a connection; returns how many.
   *
   * @param domain whose rules have a descriptor {@code user}
   * @param endNanos when it has to be over, by {@link System#nanoTime}
   * @param goesOn whether to send the call of this number, counted from 0
   * @throws io.grpc.StatusRuntimeException if a call is not answered: the store does not answer
   */
  public static int send(int port, String domain, long endNanos, IntPredicate goesOn) {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
            .usePlaintext()
            .directExecutor()
            .build();
    try {
      RateLimitServiceBlockingStub service =
          RateLimitServiceGrpc.newBlockingStub(channel)
              .withDeadlineAfter(endNanos - System.nanoTime() + LAST_NANOS, TimeUnit.NANOSECONDS);
      int number = 0;
      while (goesOn.test(number)) {
        service.shouldRateLimit(call(domain, number));
        number++;
      }
      return number;
    } finally {
      channel.shutdownNow();
    }
  }

  private static RateLimitRequest call(String domain, int number) {
    RateLimitRequest.Builder call = RateLimitRequest.newBuilder().setDomain(domain);
    call.addDescriptorsBuilder()
        .addEntriesBuilder()
        .setKey("user")
        .setValue(String.valueOf(number % KEYS));
    return call.build();
  }
}
