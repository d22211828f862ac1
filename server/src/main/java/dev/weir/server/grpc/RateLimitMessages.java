package dev.weir.server.grpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import dev.weir.rules.DescriptorEntry;
import dev.weir.rules.DescriptorRate;
import dev.weir.rules.RateUnit;
import dev.weir.server.envoy.AnswerDetails;
import dev.weir.server.envoy.DescriptorStatus;
import dev.weir.server.envoy.InvalidCallException;
import dev.weir.server.envoy.RateLimitAnswer;
import dev.weir.server.envoy.RateLimitCall;
import dev.weir.server.grpc.message.HeaderValue;
import dev.weir.server.grpc.message.RateLimitDescriptor;
import dev.weir.server.grpc.message.RateLimitRequest;
import dev.weir.server.grpc.message.RateLimitResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads protobuf messages into calls, and writes answers as protobuf. */
final class RateLimitMessages {
  private final AnswerDetails details;

  RateLimitMessages(AnswerDetails details) {
    this.details = details;
  }

  static RateLimitCall read(RateLimitRequest request) {
    List<RateLimitCall.Descriptor> descriptors = new ArrayList<>(request.getDescriptorsCount());
    for (RateLimitDescriptor descriptor : request.getDescriptorsList()) {
      descriptors.add(read(descriptor));
    }
    return new RateLimitCall(
        request.getDomain(), Integer.toUnsignedLong(request.getHitsAddend()), descriptors);
  }

  private static RateLimitCall.Descriptor read(RateLimitDescriptor descriptor) {
    List<DescriptorEntry> entries = new ArrayList<>(descriptor.getEntriesCount());
    for (RateLimitDescriptor.Entry entry : descriptor.getEntriesList()) {
      entries.add(new DescriptorEntry(entry.getKey(), entry.getValue()));
    }
    return new RateLimitCall.Descriptor(
        entries,
        descriptor.hasHitsAddend() ? hits(descriptor.getHitsAddend().getValue()) : null,
        descriptor.getIsNegativeHits(),
        descriptor.hasLimit() ? limit(descriptor.getLimit()) : null);
  }

  /** Reads a uint64, cut to the most hits that a call can have. */
  private static long hits(long unsigned) {
    return unsigned < 0 ? RateLimitCall.MOST_HITS : Math.min(unsigned, RateLimitCall.MOST_HITS);
  }

  private static RateLimitCall.Override limit(RateLimitDescriptor.RateLimitOverride limit) {
    RateUnit unit =
        RateUnit.of(limit.getUnitValue())
            .orElseThrow(() -> new InvalidCallException("the limit of a request must have a unit"));
    return new RateLimitCall.Override(Integer.toUnsignedLong(limit.getRequestsPerUnit()), unit);
  }

  RateLimitResponse write(RateLimitCall call, RateLimitAnswer answer) {
    RateLimitResponse.Builder out =
        RateLimitResponse.newBuilder().setOverallCode(code(answer.overLimit()));
    for (DescriptorStatus status : answer.statuses()) {
      out.addStatuses(write(status));
    }
    details
        .headers(answer)
        .forEach((name, value) -> out.addResponseHeadersToAdd(header(name, value)));
    String body = details.body(answer);
    if (body != null) {
      out.setRawBody(ByteString.copyFrom(body, StandardCharsets.UTF_8));
    }
    Map<String, Object> metadata = details.metadata(call, answer);
    if (!metadata.isEmpty()) {
      out.setDynamicMetadata(StructMessages.struct(metadata));
    }
    return out.build();
  }

  private static HeaderValue header(String name, String value) {
    return HeaderValue.newBuilder().setKey(name).setValue(value).build();
  }

  private RateLimitResponse.DescriptorStatus write(DescriptorStatus status) {
    RateLimitResponse.DescriptorStatus.Builder out =
        RateLimitResponse.DescriptorStatus.newBuilder()
            .setCode(code(status.overLimit()))
            .setLimitRemaining(DescriptorStatus.saturated(status.remaining()));
    DescriptorRate rate = status.rate();
    if (rate != null) {
      out.setCurrentLimit(limit(rate, status.name()));
      if (details.sendsResetTimes()) {
        out.setDurationUntilReset(Duration.newBuilder().setSeconds(status.resetSeconds()));
      }
    }
    return out.build();
  }

  private static RateLimitResponse.RateLimit limit(DescriptorRate rate, @Nullable String name) {
    RateLimitResponse.RateLimit.Builder out =
        RateLimitResponse.RateLimit.newBuilder()
            .setRequestsPerUnit(DescriptorStatus.saturated(rate.requests()))
            .setUnitValue(rate.unit().number());
    if (name != null) {
      out.setName(name);
    }
    return out.build();
  }

  private static RateLimitResponse.Code code(boolean overLimit) {
    return overLimit ? RateLimitResponse.Code.OVER_LIMIT : RateLimitResponse.Code.OK;
  }
}
