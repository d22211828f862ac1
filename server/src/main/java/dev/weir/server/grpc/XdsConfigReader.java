package dev.weir.server.grpc;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.weir.rules.InvalidRulesException;
import dev.weir.rules.RateUnit;
import dev.weir.rules.RuleSet;
import dev.weir.server.grpc.message.ConfiguredDescriptor;
import dev.weir.server.grpc.message.ConfiguredPolicy;
import dev.weir.server.grpc.message.RateLimitConfig;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;

/**
 * Rules from the messages of a control plane. They become the text that a file would hold, so that
 * they are checked, counted and shown like any other rules.
 */
final class XdsConfigReader {
  static final String TYPE = "type.googleapis.com/ratelimit.config.ratelimit.v3.RateLimitConfig";

  private XdsConfigReader() {}

  /**
   * @throws InvalidRulesException if the rules have faults
   * @throws IllegalArgumentException if a resource is not of the type or malformed
   */
  static RuleSet read(String name, List<Any> resources) {
    if (resources.isEmpty()) {
      return RuleSet.empty();
    }
    JsonArray domains = new JsonArray();
    for (Any resource : resources) {
      if (!resource.getTypeUrl().equals(TYPE)) {
        throw new IllegalArgumentException(
            "resources must be of type " + TYPE + ", was " + resource.getTypeUrl());
      }
      try {
        domains.add(json(RateLimitConfig.parseFrom(resource.getValue())));
      } catch (InvalidProtocolBufferException malformed) {
        throw new IllegalArgumentException("a resource is malformed", malformed);
      }
    }
    return RuleSet.parse(name, new JsonObject().put("domains", domains).encodePrettily());
  }

  private static JsonObject json(RateLimitConfig config) {
    JsonObject out = new JsonObject().put("domain", config.getDomain());
    return out.put("descriptors", json(config.getDescriptorsList()));
  }

  private static JsonArray json(List<ConfiguredDescriptor> descriptors) {
    JsonArray out = new JsonArray();
    descriptors.forEach(descriptor -> out.add(json(descriptor)));
    return out;
  }

  private static JsonObject json(ConfiguredDescriptor descriptor) {
    JsonObject out =
        new JsonObject()
            .put("key", descriptor.getKey())
            .put("value", descriptor.getValue())
            .put("shadow_mode", descriptor.getShadowMode())
            .put("quota_mode", descriptor.getQuotaMode())
            .put("detailed_metric", descriptor.getDetailedMetric())
            .put("descriptors", json(descriptor.getDescriptorsList()));
    if (descriptor.hasMetadata()) {
      out.put("metadata", new JsonObject(StructMessages.map(descriptor.getMetadata())));
    }
    if (descriptor.hasRateLimit()) {
      out.put("rate_limit", json(descriptor.getRateLimit()));
    }
    return out;
  }

  private static JsonObject json(ConfiguredPolicy policy) {
    JsonArray replaces = new JsonArray();
    policy
        .getReplacesList()
        .forEach(replaced -> replaces.add(new JsonObject().put("name", replaced.getName())));
    JsonObject out =
        new JsonObject()
            .put("unlimited", policy.getUnlimited())
            .put("name", policy.getName())
            .put("replaces", replaces);
    RateUnit.of(policy.getUnit()).ifPresent(unit -> out.put("unit", unit.text()));
    return policy.getUnlimited()
        ? out
        : out.put("requests_per_unit", Integer.toUnsignedLong(policy.getRequestsPerUnit()));
  }
}
