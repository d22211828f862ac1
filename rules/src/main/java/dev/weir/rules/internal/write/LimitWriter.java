package dev.weir.rules.internal.write;

import dev.weir.Algorithm;
import dev.weir.Lease;
import dev.weir.Limit;
import dev.weir.Penalty;
import dev.weir.internal.text.HumanDuration;
import dev.weir.internal.text.KebabCase;
import dev.weir.internal.text.SlotsExpression;
import dev.weir.rules.internal.match.Allowance;
import dev.weir.rules.internal.match.ResponseRule;
import dev.weir.rules.internal.match.RuleLimit;
import dev.weir.rules.internal.match.StatusSet;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Writes one limit of a rule. */
final class LimitWriter {
  private final YamlMapping out = new YamlMapping();

  private LimitWriter() {}

  static YamlMapping write(RuleLimit limit) {
    LimitWriter writer = new LimitWriter();
    writer.out.put("name", limit.name());
    writer.out.put("key", limit.key());
    writer.writeAllowances(limit);
    writer.writeBurst(limit);
    writer.writeAlgorithm(limit);
    writer.writeHold(limit);
    writer.writeLease(limit);
    if (limit.blocked().split() > 1) {
      writer.out.put("split", limit.blocked().split());
    }
    writer.writePercents(limit);
    if (limit.cost() != null) {
      writer.out.put("cost", limit.cost());
    }
    if (!limit.overrides().isEmpty()) {
      writer.out.put("overrides", byKey(limit.overrides()));
    }
    writer.writeResponses(limit.responses());
    limit.blocked().penalty().ifPresent(writer::writePenalty);
    return writer.out;
  }

  private void writeResponses(@Nullable ResponseRule responses) {
    if (responses != null) {
      writeStatuses("count", responses.count());
      writeStatuses("give-back", responses.giveBack());
    }
  }

  private void writeStatuses(String key, @Nullable StatusSet statuses) {
    if (statuses != null) {
      out.put(key, new YamlMapping().put("status", statuses.texts()));
    }
  }

  private void writePenalty(Penalty penalty) {
    out.put(
        "penalty",
        new YamlMapping()
            .put("after", penalty.afterText())
            .put("block", HumanDuration.of(penalty.block()))
            .putValue("growing", penalty.growing())
            .put("at-most", HumanDuration.of(penalty.atMost())));
  }

  private void writeAllowances(RuleLimit limit) {
    if (limit.by() != null) {
      out.put("by", limit.by());
      out.put("limit", byKey(limit.tiers()));
    } else if (limit.usual() != null) {
      out.put("limit", limit.usual().text());
    }
  }

  /** In order of their keys, because the maps of a limit are in no order. */
  private static YamlMapping byKey(Map<String, Allowance> allowances) {
    YamlMapping out = new YamlMapping();
    new TreeMap<>(allowances).forEach((key, allowance) -> out.put(key, allowance.text()));
    return out;
  }

  /**
   * All buckets of a limit share its burst; it must be written if it differs from the permits of
   * one.
   */
  private void writeBurst(RuleLimit limit) {
    limits(limit)
        .filter(each -> each.algorithm() == Algorithm.TOKEN_BUCKET)
        .filter(bucket -> bucket.capacity() != bucket.permits())
        .findFirst()
        .ifPresent(bucket -> out.put("burst", bucket.capacity()));
  }

  private void writeAlgorithm(RuleLimit limit) {
    limits(limit)
        .map(Limit::algorithm)
        .findFirst()
        .filter(algorithm -> algorithm != Algorithm.TOKEN_BUCKET)
        .filter(algorithm -> algorithm != Algorithm.IN_FLIGHT) // "10 at once" says it
        .ifPresent(algorithm -> out.put("algorithm", KebabCase.of(algorithm)));
  }

  private void writeHold(RuleLimit limit) {
    limits(limit)
        .filter(each -> each.algorithm() == Algorithm.IN_FLIGHT)
        .map(Limit::period)
        .filter(hold -> !hold.equals(SlotsExpression.USUAL_HOLD))
        .findFirst()
        .ifPresent(hold -> out.put("hold", HumanDuration.of(hold)));
  }

  /** All policies of a limit share its lease. */
  private void writeLease(RuleLimit limit) {
    limit.blocked().lease().ifPresent(lease -> writeLease(lease, out));
  }

  private void writePercents(RuleLimit limit) {
    limits(limit)
        .filter(Limit.FixedWindow.class::isInstance)
        .map(each -> ((Limit.FixedWindow) each).warnAtPercent())
        .filter(OptionalInt::isPresent)
        .findFirst()
        .ifPresent(percent -> out.put("warn-at", percent.getAsInt() + " %"));
    limit
        .blocked()
        .reserveAtMostPercent()
        .ifPresent(percent -> out.put("reserve-at-most", percent + " %"));
  }

  static void writeLease(Lease lease, YamlMapping out) {
    out.put("lease", lease.onlyHotKeys() ? "auto" : HumanDuration.of(lease.period()));
  }

  private static Stream<Limit> limits(RuleLimit limit) {
    return Stream.of(
            Stream.ofNullable(limit.usual()),
            limit.tiers().values().stream(),
            limit.overrides().values().stream())
        .flatMap(allowances -> allowances)
        .filter(Allowance.LimitedAllowance.class::isInstance)
        .map(limited -> ((Allowance.LimitedAllowance) limited).policy().limit());
  }
}
