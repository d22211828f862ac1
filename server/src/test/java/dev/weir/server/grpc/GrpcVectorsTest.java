package dev.weir.server.grpc;

import com.google.protobuf.UInt64Value;
import dev.weir.ManualTime;
import dev.weir.http.RateLimitFields;
import dev.weir.server.connection.ConnectionRegistry;
import dev.weir.server.envoy.AnswerDetails;
import dev.weir.server.envoy.EnvoyVectors;
import dev.weir.server.envoy.EnvoyVectors.Backend;
import dev.weir.server.envoy.EnvoyVectors.Case;
import dev.weir.server.envoy.RateLimitCall;
import dev.weir.server.grpc.message.RateLimitDescriptor;
import dev.weir.server.grpc.message.RateLimitRequest;
import dev.weir.server.grpc.message.RateLimitResponse;
import dev.weir.server.grpc.message.RateLimitServiceGrpc;
import dev.weir.server.grpc.message.RateLimitServiceGrpc.RateLimitServiceBlockingStub;
import dev.weir.server.http.RequestMemory;
import dev.weir.server.http.WaitingRequests;
import dev.weir.spi.LimitStore;
import dev.weir.testkit.RedisServers;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The conformance cases of Envoy's reference service over gRPC, with a clock moved by hand, in
 * memory and on a real Redis.
 */
final class GrpcVectorsTest {
  private static final AnswerDetails DETAILS =
      new AnswerDetails(RateLimitFields.standard(), null, true, true, true);

  @RegisterExtension static final RedisServers SERVERS = RedisServers.embedded();

  static Stream<Arguments> cases() {
    return EnvoyVectors.casesOnBothStores();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void everyCaseIsAnsweredAsExpected(Backend backend, Case one) {
    ManualTime time = EnvoyVectors.clock();
    try (LimitStore store = backend.open(SERVERS, time);
        GrpcServer server =
            GrpcServer.start(
                new GrpcServer.Listening("127.0.0.1", 0, null, Duration.ofHours(1)),
                EnvoyVectors.service(one, store, time),
                DETAILS,
                bounds())) {
      ManagedChannel channel =
          NettyChannelBuilder.forAddress("127.0.0.1", server.port()).usePlaintext().build();
      try {
        RateLimitServiceBlockingStub stub = RateLimitServiceGrpc.newBlockingStub(channel);
        EnvoyVectors.run(one, time, call -> ask(stub, call));
      } finally {
        channel.shutdownNow();
      }
    }
  }

  private static String ask(RateLimitServiceBlockingStub stub, RateLimitCall call) {
    try {
      return text(stub.shouldRateLimit(request(call)));
    } catch (StatusRuntimeException failed) {
      return "ERROR " + failed.getStatus().getDescription();
    }
  }

  static RateLimitRequest request(RateLimitCall call) {
    RateLimitRequest.Builder request =
        RateLimitRequest.newBuilder().setDomain(call.domain()).setHitsAddend((int) call.hits());
    call.descriptors().forEach(each -> request.addDescriptors(descriptor(each)));
    return request.build();
  }

  private static RateLimitDescriptor descriptor(RateLimitCall.Descriptor descriptor) {
    RateLimitDescriptor.Builder out =
        RateLimitDescriptor.newBuilder().setIsNegativeHits(descriptor.negative());
    descriptor.entries().forEach(e -> out.addEntriesBuilder().setKey(e.key()).setValue(e.value()));
    if (descriptor.hits() != null) {
      out.setHitsAddend(UInt64Value.of(descriptor.hits()));
    }
    if (descriptor.limit() != null) {
      out.getLimitBuilder()
          .setRequestsPerUnit((int) descriptor.limit().requests())
          .setUnitValue(descriptor.limit().unit().number());
    }
    return out.build();
  }

  private static String text(RateLimitResponse response) {
    return response.getOverallCode()
        + " | "
        + response.getStatusesList().stream()
            .map(GrpcVectorsTest::text)
            .collect(Collectors.joining(" ; "));
  }

  private static String text(RateLimitResponse.DescriptorStatus status) {
    if (!status.hasCurrentLimit()) {
      return status.getCode() + (status.getLimitRemaining() == -1 ? " unlimited" : " -");
    }
    RateLimitResponse.RateLimit limit = status.getCurrentLimit();
    return status.getCode()
        + " "
        + Integer.toUnsignedString(limit.getRequestsPerUnit())
        + "/"
        + limit.getUnit()
        + " "
        + Integer.toUnsignedString(status.getLimitRemaining())
        + " r"
        + status.getDurationUntilReset().getSeconds()
        + (limit.getName().isEmpty() ? "" : " name=" + limit.getName());
  }

  private static GrpcServer.Bounds bounds() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    return new GrpcServer.Bounds(
        new WaitingRequests(100, registry),
        new RequestMemory(1 << 20, registry),
        new ConnectionRegistry(100, false),
        Duration.ofSeconds(10),
        Duration.ofSeconds(60));
  }
}
