package dev.weir.rules.internal.read;

import dev.weir.Algorithm;
import dev.weir.rules.internal.match.Allowance;
import dev.weir.rules.internal.match.ResponseRule;
import dev.weir.rules.internal.match.RuleLimit;
import dev.weir.rules.internal.yaml.FaultCollector;
import dev.weir.rules.internal.yaml.YamlNode;
import dev.weir.rules.internal.yaml.YamlNode.Mapping;
import dev.weir.rules.internal.yaml.YamlNode.Scalar;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads one entry of a rule's {@code limits}. */
final class LimitReader {
  private static final List<String> KEYS =
      List.of(
          "name",
          "key",
          "limit",
          "by",
          "burst",
          "algorithm",
          "hold",
          "lease",
          "split",
          "warn-at",
          "reserve-at-most",
          "cost",
          "overrides",
          "overrides-file",
          "count",
          "give-back",
          "penalty");
  private static final String DEFAULT = "default";

  private final OverridesReader overrides;
  private final HoldReader holds;
  private final PercentReader percents;
  private final ResponseRuleReader responses;
  private final PenaltyReader penalties;
  private final FaultCollector faults;

  LimitReader(OverridesReader overrides, FaultCollector faults) {
    this.overrides = overrides;
    this.holds = new HoldReader(faults);
    this.percents = new PercentReader(faults);
    this.responses = new ResponseRuleReader(faults);
    this.penalties = new PenaltyReader(faults);
    this.faults = faults;
  }

  /** Null if the entry is not a limit; the reason is then among the faults. */
  @Nullable RuleLimit read(RuleReader.Head rule, UniqueNames names, YamlNode node) {
    if (!(node instanceof Mapping mapping)) {
      faults.add(
          node.at(), "a limit must be a mapping with name, key and limit, was " + node.kind());
      return null;
    }
    MappingReader section = new MappingReader(owner(mapping), mapping, KEYS, faults);
    String name = names.read(section, "the name it is counted and reported under");
    List<String> key = key(section);
    Algorithm algorithm = AlgorithmReader.read(section, Algorithm.TOKEN_BUCKET);
    holds.refuseRates(section);
    AllowanceReader allowances =
        new AllowanceReader(
            rule,
            name == null ? "?" : name,
            algorithm,
            BurstReader.read(section, algorithm, faults),
            holds.read(section),
            LeaseReader.read(section, algorithm, faults),
            SplitReader.read(section, faults),
            percents.warnAt(section, algorithm),
            percents.reserveAtMost(section),
            penalties.read(section, rule.mode()),
            faults);
    Tiers tiers = tiers(section, allowances);
    Map<String, Allowance> single = overrides.read(owner(mapping), section, allowances);
    String by = attribute(section, "by");
    String cost = attribute(section, "cost");
    ResponseRule counted = responses.read(section);
    return name == null || key == null
        ? null
        : new RuleLimit(
            name, key, cost, by, tiers.byValue, tiers.usual, single, allowances.blocked(), counted);
  }

  private static String owner(Mapping mapping) {
    return UniqueNames.owner("limit", mapping);
  }

  private @Nullable List<String> key(MappingReader section) {
    YamlNode node =
        section.required(
            "key", "the attribute that is counted, a list of them, or [] to count all as one");
    List<Scalar> texts = node == null ? null : MappingReader.texts("key", node, faults);
    if (texts == null) {
      return null;
    }
    Set<String> seen = new HashSet<>();
    for (Scalar text : texts) {
      if (!seen.add(text.text())) {
        faults.add(text.at(), "key must name an attribute once, was " + text.kind() + " twice");
      }
      checkAttribute("key", text);
    }
    return texts.stream().map(Scalar::text).toList();
  }

  private @Nullable String attribute(MappingReader section, String key) {
    Scalar text = section.text(key);
    if (text == null) {
      return null;
    }
    checkAttribute(key, text);
    return text.text();
  }

  private void checkAttribute(String key, Scalar text) {
    if (text.text().isBlank()) {
      faults.add(text.at(), key + " must be the name of an attribute, was " + text.kind());
    }
    AttributeHints.check(text.text(), text.at(), faults);
  }

  /** What {@code limit} gives, by the value of {@code by} and without one. */
  private record Tiers(Map<String, Allowance> byValue, @Nullable Allowance usual) {
    static final Tiers NONE = new Tiers(Map.of(), null);
  }

  private Tiers tiers(MappingReader section, AllowanceReader allowances) {
    YamlNode limit = section.required("limit", "such as 10 per minute");
    boolean picked = section.get("by") != null;
    if (limit instanceof Mapping mapping) {
      return picked
          ? byValue(mapping, allowances)
          : refuse(limit, "limit needs by to pick from a mapping");
    }
    if (limit == null) {
      return Tiers.NONE;
    }
    if (picked) {
      return refuse(
          limit, "limit must be a mapping from values of by to limits, was " + limit.kind());
    }
    Scalar text = MappingReader.text("limit", limit, faults);
    return text == null ? Tiers.NONE : new Tiers(Map.of(), allowances.read(text));
  }

  private Tiers refuse(YamlNode limit, String text) {
    faults.add(limit.at(), text);
    return Tiers.NONE;
  }

  private Tiers byValue(Mapping mapping, AllowanceReader allowances) {
    if (mapping.entries().isEmpty()) {
      return refuse(mapping, "limit must list at least one value, was empty");
    }
    Map<String, Allowance> byValue = new HashMap<>(allowances.readAll("limit", mapping));
    return new Tiers(byValue, byValue.get(DEFAULT));
  }
}
