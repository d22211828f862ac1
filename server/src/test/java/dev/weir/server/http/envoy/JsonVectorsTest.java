package dev.weir.server.http.envoy;

import dev.weir.ManualTime;
import dev.weir.rules.DescriptorEntry;
import dev.weir.server.Http;
import dev.weir.server.envoy.AnswerDetails;
import dev.weir.server.envoy.EnvoyVectors;
import dev.weir.server.envoy.EnvoyVectors.Backend;
import dev.weir.server.envoy.EnvoyVectors.Case;
import dev.weir.server.envoy.RateLimitCall;
import dev.weir.spi.LimitStore;
import dev.weir.testkit.RedisServers;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The conformance cases of Envoy's reference service as JSON over HTTP, with a clock moved by hand,
 * in memory and on a real Redis.
 */
@Tag("slow")
final class JsonVectorsTest {
  private static final AnswerDetails DETAILS = new AnswerDetails(null, null, true, true, false);

  @RegisterExtension static final RedisServers SERVERS = RedisServers.embedded();

  static Stream<Arguments> cases() {
    return EnvoyVectors.casesOnBothStores();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void everyCaseIsAnsweredAsExpected(Backend backend, Case one) {
    ManualTime time = EnvoyVectors.clock();
    try (LimitStore store = backend.open(SERVERS, time);
        JsonEndpoint endpoint =
            JsonEndpoint.start(EnvoyVectors.service(one, store, time), DETAILS)) {
      Http http = new Http(endpoint.port());
      EnvoyVectors.run(one, time, call -> ask(http, call));
    }
  }

  private static String ask(Http http, RateLimitCall call) {
    Http.Answer answer = http.post("/json", json(call).encode(), JsonEndpoint.ADMIN);
    return switch (answer.status()) {
      case 200, 429 -> text(answer.json());
      default -> "ERROR " + answer.detail();
    };
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
