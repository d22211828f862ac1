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
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** Reads protobuf messages into calls, and writes answers as protobuf. */
final class RateLimitMessages {
  /** More rules than most services have; parts of further rules are built for every answer. */
  private static final int MAX_KNOWN = 1000;

  private final AnswerDetails details;

  /** Parts that are the same in every answer of a rule. */
  private final Map<String, HeaderValue> policies = new ConcurrentHashMap<>();

  private final Map<DescriptorRate, RateLimitResponse.RateLimit> limits = new ConcurrentHashMap<>();

  RateLimitMessages(AnswerDetails details) {
    this.details = details;
  }

  static RateLimitCall read(RateLimitRequest request) {
    List<RateLimitCall.Descriptor> descriptors =
        list(request.getDescriptorsList(), RateLimitMessages::read);
    return new RateLimitCall(
        request.getDomain(), Integer.toUnsignedLong(request.getHitsAddend()), descriptors);
  }

  private static RateLimitCall.Descriptor read(RateLimitDescriptor descriptor) {
    List<DescriptorEntry> entries =
        list(
            descriptor.getEntriesList(),
            entry -> new DescriptorEntry(entry.getKey(), entry.getValue()));
    return new RateLimitCall.Descriptor(
        entries,
        descriptor.hasHitsAddend() ? hits(descriptor.getHitsAddend().getValue()) : null,
        descriptor.getIsNegativeHits(),
        descriptor.hasLimit() ? limit(descriptor.getLimit()) : null);
  }

  /** Most lists have one item, and an unmodifiable list is not copied again. */
  private static <M, T> List<T> list(List<M> messages, Function<M, T> read) {
    return messages.size() == 1
        ? List.of(read.apply(messages.get(0)))
        : messages.stream().map(read).toList();
  }

  /** Reads a uint64, cut to the most hits that a call can have. */
  private static long hits(long unsigned) {
    return unsigned < 0 ? RateLimitCall.MAX_HITS : Math.min(unsigned, RateLimitCall.MAX_HITS);
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
    details.writeFields(answer, (name, value) -> out.addResponseHeadersToAdd(header(name, value)));
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

  /** The policies of a rule are the same text in every answer. */
  private HeaderValue header(String name, String value) {
    return name.equals("RateLimit-Policy")
        ? known(policies, value, text -> newHeader(name, text))
        : newHeader(name, value);
  }

  private static HeaderValue newHeader(String name, String value) {
    return HeaderValue.newBuilder().setKey(name).setValue(value).build();
  }

  private RateLimitResponse.DescriptorStatus write(DescriptorStatus status) {
    RateLimitResponse.DescriptorStatus.Builder out =
        RateLimitResponse.DescriptorStatus.newBuilder()
            .setCode(code(status.overLimit()))
            .setLimitRemaining(DescriptorStatus.saturated(status.remaining()));
    DescriptorRate rate = status.rate();
    if (rate != null) {
      out.setCurrentLimit(limit(rate, status.name() == null ? "" : status.name()));
      if (details.sendsResetTimes()) {
        out.setDurationUntilReset(Duration.newBuilder().setSeconds(status.resetSeconds()));
      }
    }
    return out.build();
  }

  private RateLimitResponse.RateLimit limit(DescriptorRate rate, String name) {
    RateLimitResponse.RateLimit known = known(limits, rate, each -> newLimit(each, name));
    return known.getName().equals(name) ? known : newLimit(rate, name); // new rules may rename it
  }

  private static RateLimitResponse.RateLimit newLimit(DescriptorRate rate, String name) {
    return RateLimitResponse.RateLimit.newBuilder()
        .setRequestsPerUnit(DescriptorStatus.saturated(rate.requests()))
        .setUnitValue(rate.unit().number())
        .setName(name)
        .build();
  }

  private static <K, V> V known(Map<K, V> all, K key, Function<K, V> make) {
    V known = all.get(key);
    if (known == null) {
      if (all.size() >= MAX_KNOWN) {
        all.clear();
      }
      known = all.computeIfAbsent(key, make);
    }
    return known;
  }

  private static RateLimitResponse.Code code(boolean overLimit) {
    return overLimit ? RateLimitResponse.Code.OVER_LIMIT : RateLimitResponse.Code.OK;
  }
}
