package dev.weir.server.http.envoy;

import dev.weir.internal.text.JsonWriter;
import dev.weir.rules.DescriptorRate;
import dev.weir.server.envoy.AnswerDetails;
import dev.weir.server.envoy.DescriptorStatus;
import dev.weir.server.envoy.RateLimitAnswer;
import dev.weir.server.envoy.RateLimitCall;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

/** Writes an answer as protobuf's JSON has it. */
final class RateLimitJsonWriter {
  private final AnswerDetails details;

  public RateLimitJsonWriter(AnswerDetails details) {
    this.details = details;
  }

  public String write(RateLimitCall call, RateLimitAnswer answer) {
    StringBuilder out = new StringBuilder(256);
    JsonWriter json =
        new JsonWriter(out).beginObject().member("overallCode", code(answer.overLimit()));
    json.beginArray("statuses");
    answer.statuses().forEach(status -> write(status, json));
    json.endArray();
    Map<String, String> fields = new LinkedHashMap<>();
    details.writeFields(answer, fields::put);
    writeHeaders(fields, json);
    String body = details.body(answer);
    if (body != null) {
      json.member(
          "rawBody", Base64.getEncoder().encodeToString(body.getBytes(StandardCharsets.UTF_8)));
    }
    Map<String, Object> metadata = details.metadata(call, answer);
    if (!metadata.isEmpty()) {
      json.rawMember("dynamicMetadata", new JsonObject(metadata).encode());
    }
    json.endObject();
    return out.append('\n').toString();
  }

  private static void writeHeaders(Map<String, String> headers, JsonWriter json) {
    if (headers.isEmpty()) {
      return;
    }
    json.beginArray("responseHeadersToAdd");
    headers.forEach(
        (name, value) -> json.beginObject().member("key", name).member("value", value).endObject());
    json.endArray();
  }

  private void write(DescriptorStatus status, JsonWriter json) {
    json.beginObject().member("code", code(status.overLimit()));
    DescriptorRate rate = status.rate();
    if (rate != null) {
      StringBuilder limit = new StringBuilder(64);
      JsonWriter inner =
          new JsonWriter(limit)
              .beginObject()
              .member("requestsPerUnit", saturated(rate.requests()))
              .member("unit", rate.unit().name());
      if (status.name() != null) {
        inner.member("name", status.name());
      }
      inner.endObject();
      json.rawMember("currentLimit", limit.toString());
    }
    if (rate != null || status.unlimited()) {
      json.member("limitRemaining", saturated(status.remaining()));
    }
    if (rate != null && details.sendsResetTimes()) {
      json.member("durationUntilReset", status.resetSeconds() + "s");
    }
    json.endObject();
  }

  private static long saturated(long value) {
    return Integer.toUnsignedLong(DescriptorStatus.saturated(value));
  }

  private static String code(boolean overLimit) {
    return overLimit ? "OVER_LIMIT" : "OK";
  }
}
