package dev.weir.rules.internal.write;

import dev.weir.Algorithm;
import dev.weir.Limit;
import dev.weir.internal.text.KebabCase;
import dev.weir.rules.internal.match.Allowance;
import dev.weir.rules.internal.match.RuleLimit;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Writes one limit of a rule. */
final class LimitWriter {
  private final BlockYaml out;

  LimitWriter(BlockYaml out) {
    this.out = out;
  }

  void write(RuleLimit limit) {
    out.entry("name", limit.name());
    out.entry("key", limit.key());
    writeGrants(limit);
    writeBurst(limit);
    writeAlgorithm(limit);
    if (limit.cost() != null) {
      out.entry("cost", limit.cost());
    }
    if (!limit.overrides().isEmpty()) {
      writeAll("overrides", limit.overrides());
    }
  }

  private void writeGrants(RuleLimit limit) {
    if (limit.by() != null) {
      out.entry("by", limit.by());
      writeAll("limit", limit.tiers());
    } else if (limit.usual() != null) {
      out.entry("limit", limit.usual().text());
    }
  }

  /** By key, because the maps of a limit are in no order. */
  private void writeAll(String key, Map<String, Allowance> grants) {
    out.section(
        key, () -> new TreeMap<>(grants).forEach((value, grant) -> out.entry(value, grant.text())));
  }

  /** All buckets of a limit have its burst; it shows in those of another number of permits. */
  private void writeBurst(RuleLimit limit) {
    limits(limit)
        .filter(each -> each.algorithm() == Algorithm.TOKEN_BUCKET)
        .filter(bucket -> bucket.capacity() != bucket.permits())
        .findFirst()
        .ifPresent(bucket -> out.entry("burst", bucket.capacity()));
  }

  private void writeAlgorithm(RuleLimit limit) {
    limits(limit)
        .map(Limit::algorithm)
        .findFirst()
        .filter(algorithm -> algorithm != Algorithm.TOKEN_BUCKET)
        .ifPresent(algorithm -> out.entry("algorithm", KebabCase.of(algorithm)));
  }

  private static Stream<Limit> limits(RuleLimit limit) {
    return Stream.of(
            Stream.ofNullable(limit.usual()),
            limit.tiers().values().stream(),
            limit.overrides().values().stream())
        .flatMap(grants -> grants)
        .filter(Allowance.Limited.class::isInstance)
        .map(grant -> ((Allowance.Limited) grant).policy().limit());
  }
}
