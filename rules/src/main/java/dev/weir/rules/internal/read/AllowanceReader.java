package dev.weir.rules.internal.read;

import dev.weir.Algorithm;
import dev.weir.FailurePolicy;
import dev.weir.Lease;
import dev.weir.Limit;
import dev.weir.Mode;
import dev.weir.Penalty;
import dev.weir.Policy;
import dev.weir.internal.text.RateExpression;
import dev.weir.internal.text.SlotsExpression;
import dev.weir.rules.internal.match.Allowance;
import dev.weir.rules.internal.yaml.FaultCollector;
import dev.weir.rules.internal.yaml.YamlNode;
import dev.weir.rules.internal.yaml.YamlNode.Mapping;
import dev.weir.rules.internal.yaml.YamlNode.Scalar;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Reads the limits of one entry, which share everything but their rate.
 *
 * <p>Equal limits become one policy: ten thousand overrides to the same limit cost one.
 */
final class AllowanceReader {
  private static final Allowance UNLIMITED = new Allowance.Unlimited();
  private static final Allowance BLOCKED = new Allowance.Blocked();

  private final String rule;
  private final String name;
  private final Mode mode;
  private final FailurePolicy onStoreFailure;
  private final Algorithm algorithm;
  private final @Nullable Long burst;
  private final Duration hold;
  private final Optional<Lease> lease;
  private final int split;
  private final OptionalInt warnAt;
  private final OptionalInt reserveAtMost;
  private final Optional<Penalty> penalty;
  private final FaultCollector faults;
  private final Map<Limit, Policy> policies = new HashMap<>();

  AllowanceReader(
      RuleReader.Head rule,
      String name,
      Algorithm algorithm,
      @Nullable Long burst,
      Duration hold,
      Optional<Lease> lease,
      int split,
      OptionalInt warnAt,
      OptionalInt reserveAtMost,
      Optional<Penalty> penalty,
      FaultCollector faults) {
    this.rule = rule.name();
    this.mode = rule.mode();
    this.onStoreFailure = rule.onStoreFailure();
    this.name = name;
    this.algorithm = algorithm;
    this.burst = burst;
    this.hold = hold;
    this.lease = lease;
    this.split = split;
    this.warnAt = warnAt;
    this.reserveAtMost = reserveAtMost;
    this.penalty = penalty;
    this.faults = faults;
  }

  /** The policy of a blocked key that would have no limit otherwise. */
  Policy blocked() {
    return policy(Allowance.Blocked.placeholder());
  }

  @Nullable Allowance read(Scalar text) {
    return switch (text.text()) {
      case "unlimited" -> UNLIMITED;
      case "blocked" -> BLOCKED;
      default -> limited(text);
    };
  }

  private @Nullable Allowance limited(Scalar text) {
    try {
      return new Allowance.LimitedAllowance(policy(limit(text.text())), text.text());
    } catch (IllegalArgumentException impossible) {
      faults.add(text.at(), impossible.getMessage());
      return null;
    }
  }

  private Limit limit(String text) {
    if (SlotsExpression.isOne(text)) {
      return SlotsExpression.parse(text).limit(hold);
    }
    Limit limit =
        RateExpression.parse(text, List.of("unlimited", "blocked")).limit(algorithm, burst);
    return warnAt.isPresent() && limit instanceof Limit.FixedWindow window
        ? window.warnAt(warnAt.getAsInt())
        : limit;
  }

  private Policy policy(Limit limit) {
    return policies.computeIfAbsent(
        limit,
        key ->
            new Policy(
                rule, name, key, mode, onStoreFailure, lease, split, reserveAtMost, penalty));
  }

  /** Allowances by value; the faulty ones are left out. */
  Map<String, Allowance> readAll(String owner, Mapping mapping) {
    Map<String, Allowance> allowances = new LinkedHashMap<>();
    for (Map.Entry<String, YamlNode> entry :
        MappingReader.distinct(owner, mapping, faults).entrySet()) {
      Scalar text = MappingReader.text("limit", entry.getValue(), faults);
      Allowance allowance = text == null ? null : read(text);
      if (allowance != null) {
        allowances.put(entry.getKey(), allowance);
      }
    }
    return allowances;
  }
}
