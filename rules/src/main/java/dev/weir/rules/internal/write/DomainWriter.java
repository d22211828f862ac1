package dev.weir.rules.internal.write;

import dev.weir.Algorithm;
import dev.weir.FailurePolicy;
import dev.weir.internal.text.HumanDuration;
import dev.weir.internal.text.KebabCase;
import dev.weir.rules.DescriptorLimit;
import dev.weir.rules.DescriptorRate;
import dev.weir.rules.RateUnit;
import dev.weir.rules.internal.envoy.DescriptorLevel;
import dev.weir.rules.internal.envoy.DescriptorNode;
import dev.weir.rules.internal.envoy.Domain;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;

/** Writes one domain in the format of Envoy's reference service, with our keys where needed. */
final class DomainWriter {
  private DomainWriter() {}

  static YamlMapping write(Domain domain) {
    YamlMapping out = new YamlMapping().put("domain", domain.name());
    if (domain.countOverLimit()) {
      out.put("count-over-limit", true);
    }
    if (domain.calendar() == ZoneOffset.UTC) {
      out.put("calendar", true);
    } else if (domain.calendar() != null) {
      out.put("calendar", domain.calendar().getId());
    }
    writeLevel(domain.descriptors(), out);
    return out;
  }

  private static void writeLevel(DescriptorLevel level, YamlMapping out) {
    if (!level.nodes().isEmpty()) {
      out.putAll("descriptors", level.nodes().stream().map(DomainWriter::write).toList());
    }
  }

  private static YamlMapping write(DescriptorNode node) {
    YamlMapping out = new YamlMapping().put("key", node.key());
    if (node.value() != null) {
      out.put("value", node.value());
    }
    putIf(node.shared(), "share_threshold", out);
    putIf(node.valueToMetric(), "value_to_metric", out);
    if (node.limit() != null) {
      writeLimit(node.limit(), out);
    }
    writeLevel(node.children(), out);
    return out;
  }

  private static void putIf(boolean flag, String key, YamlMapping out) {
    if (flag) {
      out.put(key, true);
    }
  }

  private static void writeLimit(DescriptorLimit limit, YamlMapping out) {
    putIf(limit.shadow(), "shadow_mode", out);
    putIf(limit.quota(), "quota_mode", out);
    putIf(limit.detailedMetric(), "detailed_metric", out);
    if (!limit.metadata().isEmpty()) {
      out.put("metadata", metadata(limit.metadata()));
    }
    if (limit.unlimited()) {
      out.put("rate_limit", names(limit, new YamlMapping().put("unlimited", true)));
    } else if (limit.rates().size() == 1) {
      out.put("rate_limit", names(limit, write(limit.rates().get(0))));
    } else {
      List<YamlMapping> rates = limit.rates().stream().map(DomainWriter::write).toList();
      names(limit, rates.get(0));
      out.putAll("rate_limits", rates);
    }
  }

  private static YamlMapping names(DescriptorLimit limit, YamlMapping out) {
    limit.name().ifPresent(name -> out.put("name", name));
    if (!limit.replaces().isEmpty()) {
      out.putAll(
          "replaces",
          limit.replaces().stream()
              .sorted()
              .map(name -> new YamlMapping().put("name", name))
              .toList());
    }
    return out;
  }

  private static YamlMapping write(DescriptorRate rate) {
    YamlMapping out = new YamlMapping().put("requests_per_unit", rate.requests());
    if (rate.unit() == RateUnit.UNKNOWN) {
      out.put("period", HumanDuration.of(rate.limit().period()));
    } else {
      out.put("unit", rate.unit().text());
    }
    Algorithm algorithm = rate.limit().algorithm();
    if (algorithm != Algorithm.FIXED_WINDOW) {
      out.put("algorithm", KebabCase.of(algorithm));
    }
    if (algorithm == Algorithm.TOKEN_BUCKET && rate.limit().capacity() != rate.limit().permits()) {
      out.put("burst", rate.limit().capacity());
    }
    rate.policy().lease().ifPresent(lease -> LimitWriter.writeLease(lease, out));
    FailurePolicy onFailure = rate.policy().onStoreFailure();
    if (onFailure != FailurePolicy.ERROR) {
      out.put("on-store-failure", KebabCase.of(onFailure));
    }
    return out;
  }

  private static YamlMapping metadata(Map<String, Object> metadata) {
    YamlMapping out = new YamlMapping();
    metadata.forEach(out::putValue);
    return out;
  }
}
