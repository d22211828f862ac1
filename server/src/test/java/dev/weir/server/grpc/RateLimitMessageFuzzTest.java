package dev.weir.server.grpc;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UInt64Value;
import dev.weir.MemoryStore;
import dev.weir.RateLimiter;
import dev.weir.TimeSource;
import dev.weir.rules.RuleSet;
import dev.weir.server.envoy.AccountingModes;
import dev.weir.server.envoy.DescriptorService;
import dev.weir.server.envoy.InvalidCallException;
import dev.weir.server.grpc.message.RateLimitDescriptor;
import dev.weir.server.grpc.message.RateLimitRequest;
import dev.weir.server.service.AdminOverrides;
import dev.weir.testkit.FaultReport;
import dev.weir.testkit.Fuzzing;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whatever bytes a proxy sends are a call that is answered, or refused as its mistake. */
@Tag("slow")
final class RateLimitMessageFuzzTest {
  private static final String RULES =
      """
      domain: shop
      descriptors:
        - {key: user, rate_limit: {requests_per_unit: 2, unit: day}}
      """;

  @Test
  void everyMessageIsAnsweredOrRefused() {
    RuleSet rules = RuleSet.parse("fuzz.yaml", RULES);
    try (MemoryStore store = MemoryStore.builder().maxKeys(10_000).build()) {
      DescriptorService service =
          new DescriptorService(
              () -> rules,
              RateLimiter.forClaims(store).async(),
              new AdminOverrides(System::currentTimeMillis),
              new AccountingModes(false, false, false),
              TimeSource.system(),
              null);
      long tried = Fuzzing.run("messages of gRPC", messages(), text -> decide(service, text));
      assertThat(tried).isGreaterThan(100);
      FaultReport.row("74 fuzzed messages of gRPC", (int) tried, "answered, or a mistake named");
    }
  }

  private static void decide(DescriptorService service, String text) {
    try {
      RateLimitRequest request = RateLimitRequest.parseFrom(text.getBytes(ISO_8859_1));
      service.decide(RateLimitMessages.read(request), null).toCompletableFuture().join();
    } catch (InvalidProtocolBufferException malformed) {
      assertThat(malformed.getMessage()).isNotEmpty();
    } catch (InvalidCallException refused) {
      assertThat(refused.getMessage()).hasSizeLessThan(1_000).doesNotContain("\n", "\r");
    }
  }

  /** Bytes as characters, because that is what is mutated. */
  private static List<String> messages() {
    RateLimitRequest.Builder plain = RateLimitRequest.newBuilder().setDomain("shop");
    plain.addDescriptorsBuilder().addEntriesBuilder().setKey("user").setValue("ann");
    RateLimitRequest.Builder all = plain.clone().setHitsAddend(3);
    RateLimitDescriptor.Builder descriptor = all.addDescriptorsBuilder().setIsNegativeHits(true);
    descriptor.setHitsAddend(UInt64Value.of(1L << 40)).getLimitBuilder().setRequestsPerUnit(7);
    descriptor.addEntriesBuilder().setKey("user").setValue("\u00e9\u20ac");
    return List.of(
        new String(plain.build().toByteArray(), ISO_8859_1),
        new String(all.build().toByteArray(), ISO_8859_1));
  }
}
