package dev.weir.server.http.envoy;

import dev.weir.ManualTime;
import dev.weir.MemoryStore;
import dev.weir.rules.DescriptorEntry;
import dev.weir.server.envoy.AnswerDetails;
import dev.weir.server.envoy.DescriptorService;
import dev.weir.server.envoy.EnvoyVectors;
import dev.weir.server.envoy.EnvoyVectors.Accounting;
import dev.weir.server.envoy.EnvoyVectors.Case;
import dev.weir.server.envoy.InvalidCallException;
import dev.weir.server.envoy.RateLimitCall;
import dev.weir.spi.LimitStore;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The conformance cases of Envoy's reference service as JSON, with a clock moved by hand. */
final class JsonVectorsTest {
  private static final AnswerDetails DETAILS = new AnswerDetails(null, null, true, true, false);

  static Stream<Case> cases() {
    return Stream.concat(
        EnvoyVectors.cases(Accounting.OURS), EnvoyVectors.cases(Accounting.REFERENCE));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void everyCaseIsAnsweredAsExpected(Case one) {
    ManualTime time = EnvoyVectors.clock();
    try (LimitStore store = MemoryStore.builder().time(time).build()) {
      DescriptorService service = EnvoyVectors.service(one, store, time);
      EnvoyVectors.run(one, time, call -> ask(service, call));
    }
  }

  private static String ask(DescriptorService service, RateLimitCall sent) {
    byte[] body = json(sent).encode().getBytes(StandardCharsets.UTF_8);
    RateLimitCall call = RateLimitJsonReader.read(body);
    try {
      String answer =
          new RateLimitJsonWriter(DETAILS)
              .write(call, service.decide(call).toCompletableFuture().join());
      return text(new JsonObject(answer));
    } catch (InvalidCallException invalid) {
      return "ERROR " + invalid.getMessage();
    }
  }

  private static JsonObject json(RateLimitCall call) {
    JsonArray descriptors = new JsonArray();
    call.descriptors().forEach(each -> descriptors.add(json(each)));
    return new JsonObject()
        .put("domain", call.domain())
        .put("hits_addend", call.hits())
        .put("descriptors", descriptors);
  }

  private static JsonObject json(RateLimitCall.Descriptor descriptor) {
    JsonArray entries = new JsonArray();
    for (DescriptorEntry entry : descriptor.entries()) {
      entries.add(new JsonObject().put("key", entry.key()).put("value", entry.value()));
    }
    JsonObject out = new JsonObject().put("entries", entries);
    out.put("hitsAddend", descriptor.hits() == null ? null : descriptor.hits().toString());
    out.put("isNegativeHits", descriptor.negative());
    if (descriptor.limit() != null) {
      out.put(
          "limit",
          new JsonObject()
              .put("requestsPerUnit", descriptor.limit().requests())
              .put("unit", descriptor.limit().unit().name()));
    }
    return out;
  }

  private static String text(JsonObject answer) {
    return answer.getString("overallCode")
        + " | "
        + answer.getJsonArray("statuses").stream()
            .map(status -> status((JsonObject) status))
            .collect(Collectors.joining(" ; "));
  }

  private static String status(JsonObject status) {
    JsonObject limit = status.getJsonObject("currentLimit");
    if (limit == null) {
      return status.getString("code")
          + (status.containsKey("limitRemaining") ? " unlimited" : " -");
    }
    return status.getString("code")
        + " "
        + limit.getLong("requestsPerUnit")
        + "/"
        + limit.getString("unit")
        + " "
        + status.getLong("limitRemaining")
        + " r"
        + status.getString("durationUntilReset").replace("s", "")
        + (limit.containsKey("name") ? " name=" + limit.getString("name") : "");
  }
}
